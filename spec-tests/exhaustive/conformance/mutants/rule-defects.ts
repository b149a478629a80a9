import type { DefectTable } from './defects.js'

/** Validation rules that are left out, by their names in graphql-js. */
export const ruleDefects = {
  'rule-skipped-ExecutableDefinitionsRule': [
    'A document may define types.',
    'errors.validation.definition',
  ],
  'rule-skipped-UniqueOperationNamesRule': [
    'Two operations may have one name.',
    'errors.validation.repeated-operation',
  ],
  'rule-skipped-LoneAnonymousOperationRule': [
    'An anonymous operation may have company.',
    'errors.validation.anonymous-operation',
  ],
  'rule-skipped-KnownTypeNamesRule': ['A type may be unknown.', 'errors.validation.unknown-type'],
  'rule-skipped-FragmentsOnCompositeTypesRule': [
    'A fragment may be on a scalar.',
    'errors.validation.fragment-on-scalar',
  ],
  'rule-skipped-ScalarLeafsRule': [
    'A leaf may have a selection, and an object none.',
    'errors.validation.leaf-selection',
    'errors.validation.missing-selection',
  ],
  'rule-skipped-FieldsOnCorrectTypeRule': [
    'A field may be unknown.',
    'errors.validation.unknown-field',
  ],
  'rule-skipped-UniqueFragmentNamesRule': [
    'Two fragments may have one name.',
    'errors.validation.repeated-fragment',
  ],
  'rule-skipped-KnownFragmentNamesRule': [
    'A fragment may be unknown.',
    'errors.validation.unknown-fragment',
  ],
  'rule-skipped-NoUnusedFragmentsRule': [
    'A fragment may be unused.',
    'errors.validation.unused-fragment',
  ],
  'rule-skipped-PossibleFragmentSpreadsRule': [
    'A fragment may be spread where it can never apply.',
    'errors.validation.impossible-fragment.standard',
    'errors.validation.impossible-fragment',
  ],
  'rule-skipped-NoFragmentCyclesRule': [
    'Fragments may spread each other.',
    'errors.validation.fragment-cycle',
  ],
  'rule-skipped-UniqueVariableNamesRule': [
    'Two variables may have one name.',
    'errors.validation.repeated-variable',
  ],
  'rule-skipped-NoUndefinedVariablesRule': [
    'A variable may be undefined.',
    'errors.validation.undeclared-variable',
  ],
  'rule-skipped-NoUnusedVariablesRule': [
    'A variable may be unused.',
    'errors.validation.unused-variable',
  ],
  'rule-skipped-KnownDirectivesRule': [
    'A directive may be unknown.',
    'errors.validation.unknown-directive',
    'errors.validation.misplaced-directive',
  ],
  'rule-skipped-UniqueDirectivesPerLocationRule': [
    'A directive may come twice.',
    'errors.validation.repeated-directive',
  ],
  'rule-skipped-KnownArgumentNamesRule': [
    'An argument may be unknown.',
    'errors.validation.unknown-argument',
    'errors.validation.unknown-argument.field',
  ],
  'rule-skipped-UniqueArgumentNamesRule': [
    'An argument may come twice.',
    'errors.validation.repeated-argument',
  ],
  'rule-skipped-ValuesOfCorrectTypeRule': [
    'A literal may be of the wrong type.',
    'errors.validation.value-type.standard',
    'errors.validation.value-type',
  ],
  'rule-skipped-ProvidedRequiredArgumentsRule': [
    'A required argument may be missing.',
    'errors.validation.missing-argument',
    'errors.validation.missing-argument.field',
  ],
  'rule-skipped-VariablesInAllowedPositionRule': [
    'A nullable variable may be used where null is not allowed.',
    'errors.validation.variable-position',
    'errors.validation.variable-position.nullable',
  ],
  'rule-skipped-OverlappingFieldsCanBeMergedRule': [
    'Two fields may have one response name.',
    'errors.validation.conflict.standard',
    'errors.validation.conflict',
  ],
} as const satisfies DefectTable
