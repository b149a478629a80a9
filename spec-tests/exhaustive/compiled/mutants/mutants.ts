/** The compiled executor with one rule broken: a text of one of its files, and what takes its place. */
export interface Mutant {
  /** What it does wrong. */
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** The only major of graphql that has the rule. */
  readonly only?: 16 | 17
}

// oxfmt-ignore
const completing: readonly Mutant[] = [
  { name: 'a returned error is a value', file: 'complete-value', from: 'if (value instanceof Error)', to: 'if (false)' },
  { name: 'null may be everywhere', file: 'complete-value', from: 'if (plan.nonNull)', to: 'if (false)' },
  { name: 'undefined is a value', file: 'complete-value', from: 'value === null || value === undefined', to: 'value === null' },
  { name: 'a null does not climb', file: 'compile-selection', from: 'climbs: nonNull && plan.propagates', to: 'climbs: false' },
  { name: 'nulls always climb', file: 'compile-selection', from: 'climbs: nonNull && plan.propagates', to: 'climbs: nonNull', only: 17 },
  { name: 'a failed field keeps what it wrote', file: 'write-fields', from: 'abandon(run, mark);', to: '' },
  { name: 'a failed item keeps what it wrote', file: 'write-list', from: 'abandon(run, mark);', to: '' },
  { name: 'errors of fields are not reported', file: 'write-fields', from: 'run.report(located);', to: '' },
  { name: 'errors of items are not reported', file: 'write-list', from: 'run.report(located);', to: '' },
  { name: 'late errors are not reported', file: 'climb', from: 'run.report(located);', to: '' },
  { name: 'a failure of the root is not reported', file: 'climb', from: 'run.errors.push(toOwnError(run, located));', to: '' },
  { name: 'a foreign error at the root stays as it is', file: 'climb', from: 'toOwnError(run, located)', to: 'located', only: 17 },
  { name: 'a promise of serialize is a value', file: 'complete-value', from: 'isThenable(value)', to: 'false' },
  { name: 'errors have no path', file: 'locate-error', from: 'nodes, keysOf(path)', to: 'nodes, []' },
  { name: 'errors are located at the first node alone', file: 'locate-error', from: 'error, nodes,', to: 'error, [nodes[0]],' },
  { name: 'an object that failed is reported with its field', file: 'write-fields', from: 'if (!field.value.climbs)', to: 'if (field.value.depth === 0)' },
]

// oxfmt-ignore
const leaves: readonly Mutant[] = [
  { name: 'integers of any size are sent', file: 'write-fields', from: '(value | 0) === value', to: 'Number.isInteger(value)' },
  { name: 'every value is sent as it is', file: 'complete-value', from: 'run.is17 ? leaf.coerceOutputValue(value) : leaf.serialize(value)', to: 'value' },
  { name: 'a scalar may give null', file: 'complete-value', from: 'if (json === null || json === undefined)', to: 'if (json === undefined)' },
  { name: 'quotes are not escaped', file: 'json-writer', from: 'code > 0x7e || code === quote ||', to: 'code > 0x7e ||' },
  { name: 'backslashes are not escaped', file: 'json-writer', from: '|| code === 0x5c', to: '' },
  { name: 'control characters are not escaped', file: 'json-writer', from: 'code < 0x20 ||', to: '' },
  { name: 'strings are Latin 1', file: 'json-writer', from: 'code > 0x7e ||', to: '' },
  { name: 'long strings are not escaped', file: 'json-writer', from: 'if (mayNeedEscape.test(value))', to: 'if (false)' },
  { name: 'long strings are Latin 1', file: 'json-writer', from: 'if (!notAscii.test(text))', to: 'if (true)' },
  { name: 'characters of several bytes are read as bytes', file: 'json-writer', from: 'this.isAscii = false;', to: '' },
  { name: 'infinity is written', file: 'json-writer', from: 'Number.isFinite(value)', to: 'true' },
  { name: 'the sign is lost', file: 'json-writer', from: 'this.byte(0x2d);', to: '' },
  { name: 'toJSON does not get its key', file: 'assemble', from: 'JSON.stringify(holder)', to: '`{"${key}":${JSON.stringify(value)}}`' },
  { name: 'functions named toJSON are called', file: 'assemble', from: "key === 'toJSON' && typeof value === 'function'", to: 'false' },
  { name: 'what JSON drops leaves its key', file: 'assemble', from: 'before.slice(0, start)', to: 'before' },
  { name: 'the comma of a dropped first member stays', file: 'assemble', from: "rest.startsWith(',') ? rest.slice(1) : rest", to: 'rest' },
  { name: 'toJSON is called twice', file: 'assemble', from: 'const text = JSON.stringify(holder);', to: 'const text = JSON.stringify(holder); JSON.stringify(holder);' },
  { name: 'late strings are not escaped', file: 'wait', from: "typeof value === 'string' ? JSON.stringify(value)", to: "typeof value === 'string' ? `\"${value}\"`" },
  { name: 'late integers of any size are sent', file: 'wait', from: '(value | 0) === value', to: 'Number.isInteger(value)' },
]

// oxfmt-ignore
const lists: readonly Mutant[] = [
  { name: 'strings are lists', file: 'write-list', from: "return (typeof value === 'object' &&\n", to: 'return (\n' },
  { name: 'only arrays are lists', file: 'write-list', from: 'if (!isIterableObject(value))', to: 'if (!Array.isArray(value))' },
  { name: 'an array has the length that it began with', file: 'write-list', from: 'writeArray(run, item, values) {', to: 'writeArray(run, item, list) {\n const values = [...list];' },
  { name: 'items have no comma after what failed', file: 'write-list', from: 'run.writer.byte(comma);', to: '' },
  { name: 'a list fails with an item that may be null', file: 'write-list', from: 'if (item.climbs)\n        throw located;', to: 'throw located;' },
  { name: 'items of a failing iterable are left', file: 'write-list', from: 'drain(iterator);', to: '', only: 17 },
  { name: 'an asynchronous iterable is no list', file: 'write-list', from: 'run.is17 && isAsyncIterable(value)', to: 'false', only: 17 },
  { name: 'an asynchronous iterable is a list on 16', file: 'write-list', from: 'run.is17 && isAsyncIterable(value)', to: 'isAsyncIterable(value)', only: 16 },
  { name: 'the indices of lists stay 0', file: 'write-list', from: 'run.indices[depth] = at;', to: 'run.indices[depth] = 0;' },
  { name: 'an asynchronous list is not closed when it fails', file: 'read-async-list', from: 'if (iterator !== undefined)\n            void returnQuietly(iterator);', to: '', only: 17 },
  { name: 'a failed item ends an asynchronous list at once', file: 'climb', from: 'if (owner.reading === undefined)', to: 'if (true)', only: 17 },
]

// oxfmt-ignore
const resolving: readonly Mutant[] = [
  { name: 'functions are not called', file: 'write-fields', from: "if (typeof value !== 'function')", to: 'if (true)' },
  { name: 'methods are called without this', file: 'write-fields', from: 'value.call(object,', to: 'value.call(undefined,' },
  { name: 'functions have no properties', file: 'write-fields', from: "|| typeof source === 'function'", to: '' },
  { name: 'a property is read before the arguments', file: 'write-fields', from: 'field.args.mayFail ? readArguments(run, field) : undefined', to: '(object && field.read(object), readArguments(run, field))' },
  { name: 'resolvers do not get the context', file: 'write-fields', from: 'resolve(source, readArguments(run, field), run.contextValue, info)', to: 'resolve(source, readArguments(run, field), undefined, info)' },
  { name: 'a given field resolver is not used', file: 'write-fields', from: '?? run.fieldResolver', to: '' },
  { name: 'a given type resolver is not used', file: 'write-abstract', from: '?? run.typeResolver', to: '' },
  { name: 'calls share their arguments', file: 'arguments', from: 'const values = emptyMap(run.is17);', to: 'const values = (args.shared ??= emptyMap(run.is17));' },
  { name: 'arguments inherit of Object', file: 'empty-map', from: 'is17 ? Object.create(null) : {}', to: '{}', only: 17 },
  { name: 'arguments inherit nothing', file: 'empty-map', from: 'is17 ? Object.create(null) : {}', to: 'Object.create(null)', only: 16 },
  { name: 'a variable without a value is undefined', file: 'arguments', from: 'if (given === undefined || given === null)', to: 'if (false)' },
  { name: 'lists and objects are constants', file: 'arguments', from: "return isSimple ? 'constant' : 'full';\n}", to: "return 'constant';\n}" },
  { name: 'arguments that are required may be missing', file: 'arguments', from: "return isNonNull(argument.type) ? 'full' : 'absent';", to: "return 'absent';" },
  { name: 'arguments have no defaults', file: 'arguments', from: 'if (hasDefault)', to: 'if (false)' },
  { name: 'info has the name of the response', file: 'resolve-info', from: 'fieldName: field.definition.name', to: 'fieldName: field.key' },
  { name: 'info has one node', file: 'resolve-info', from: 'fieldNodes: field.nodes', to: 'fieldNodes: [field.nodes[0]]' },
  { name: 'info has the type without its wrappers', file: 'resolve-info', from: 'returnType: field.definition.type', to: 'returnType: field.value.type ?? field.definition.type' },
  { name: 'paths of items have a type', file: 'resolve-info', from: 'key: run.indices[plan.depth], typename: undefined', to: 'key: run.indices[plan.depth], typename: plan.field.parentType.name' },
]

// oxfmt-ignore
const types: readonly Mutant[] = [
  { name: 'isTypeOf is not asked', file: 'write-object', from: 'if (type.isTypeOf === undefined || type.isTypeOf === null)', to: 'if (true)' },
  { name: 'isTypeOf may say no', file: 'write-object', from: 'if (!isOfType)', to: 'if (false)' },
  { name: 'a late isTypeOf is yes', file: 'write-object', from: 'if (isThenable(answer))', to: 'if (false)' },
  { name: 'a late resolveType is a name', file: 'write-abstract', from: 'if (isThenable(name))', to: 'if (false)' },
  { name: 'any object type will do', file: 'write-abstract', from: 'if (!schema.isSubType(abstract, type))', to: 'if (false)' },
  { name: 'all types of a position have the fields of the first', file: 'write-object', from: 'const compiled = plan.selections.get(type.name);', to: 'const compiled = plan.selections.values().next().value;' },
]

// oxfmt-ignore
const collecting: readonly Mutant[] = [
  { name: '@skip is not heeded', file: 'collect-fields', from: "if (skip?.['if'] === true)", to: 'if (false)' },
  { name: '@include is not heeded', file: 'collect-fields', from: "return include?.['if'] !== false;", to: 'return true;' },
  { name: 'the first variant serves all', file: 'directive-variables', from: "key += 't'", to: "key += 'f'" },
  { name: 'flags are those of the request', file: 'compiled-executor', from: 'variantOf(selections.variables, variables.coerced)', to: 'variantOf(selections.variables, {})' },
  { name: 'fields are not merged', file: 'collect-fields', from: 'nodes.push(node);', to: 'void 0;' },
  { name: 'aliases are not used', file: 'collect-fields', from: '(node.alias ?? node.name).value', to: 'node.name.value' },
  { name: 'a fragment is used each time', file: 'collect-fields', from: 'visited.has(name)', to: 'false' },
  { name: 'a visited fragment has no directives', file: 'collect-fields', from: '&& !facts.is17', to: '', only: 17 },
  { name: 'a skipped fragment counts as visited', file: 'collect-fields', from: 'if (!isIncluded(collector, spread) || isVisited)\n        return;\n    visited.add(name);', to: 'visited.add(name);\n if (!isIncluded(collector, spread) || isVisited) return;' },
  { name: 'fragments are for all types', file: 'collect-fields', from: 'if (condition === undefined)\n        return false;', to: 'return true;' },
  { name: 'fragments on abstract types are for none', file: 'collect-fields', from: 'return isAbstract && schema.isSubType(condition, type);', to: 'return false;' },
  { name: 'invalid variables are taken', file: 'coerce-variables', from: '!isCoerced(scalar, nonNull, value)', to: 'false' },
  { name: 'required variables may be missing', file: 'coerce-variables', from: ': nonNull)\n', to: ': false)\n' },
]

// oxfmt-ignore
const waiting: readonly Mutant[] = [
  { name: 'thenables of other kinds are called as they are', file: 'wait', from: 'promise instanceof Promise ? promise : Promise.resolve(promise)', to: 'promise', only: 16 },
  { name: 'promises are values', file: 'thenable', from: "typeof value.then === 'function'", to: 'false' },
  { name: 'mutations do not wait', file: 'run-operation', from: 'at < length && run.waiting.length === 0;', to: 'at < length;' },
  { name: 'paths are not restored after waiting', file: 'wait', from: 'run.paths[depth] = at;', to: '' },
  { name: 'indices are not restored after waiting', file: 'wait', from: 'run.indices[depth] = at.key;', to: '' },
  { name: 'an answer does not go back where it began', file: 'json-writer', from: 'this.at = outer.start;', to: '' },
  { name: 'bytes of an answer are shared', file: 'json-writer', from: 'new Uint8Array(this.#bytes.subarray(start, this.at))', to: 'this.#bytes.subarray(start, this.at)' },
  { name: 'errors below a late null are reported', file: 'climb', from: "if (!run.isOver && slot.state === 'waits' && !isDead(slot))\n            fail(run, slot, error);", to: 'fail(run, slot, error);' },
  { name: 'a position with late parts does not become null', file: 'write-position', from: 'if (run.waiting.length > 0 && !plan.climbs)', to: 'if (false)' },
  { name: 'graphql 16 does not wait for what is beside a failure', file: 'write-fields', from: 'run.is17 || !waitsSince(run, start)', to: 'true', only: 16 },
  { name: 'graphql 17 waits for what is beside a failure', file: 'write-fields', from: 'run.is17 || !waitsSince(run, start)', to: '!waitsSince(run, start)', only: 17 },
  { name: 'promises beside a failure are left to reject', file: 'write-fields', from: 'handleUnread(source);', to: '' },
  { name: 'promises beside a failed item are left to reject', file: 'write-list', from: 'handleUnread(values);', to: '' },
]

/** One for each rule, so that a rule which is not tested shows. */
export const mutants: readonly Mutant[] = [
  ...completing,
  ...leaves,
  ...lists,
  ...resolving,
  ...types,
  ...collecting,
  ...waiting,
]
