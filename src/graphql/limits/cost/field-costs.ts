import type {
  ConstDirectiveNode,
  ConstValueNode,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql'
import type { Field } from '../../js/graphql.js'
import { defaultOf, inputKindOf, InputMeasures, sizeIn, type InputKind } from './input-measures.js'

/** Settings of the cost computation. */
export interface CostSettings {
  /** The arguments that set the size of a list. */
  readonly costSizeArguments: readonly string[]
  /** The assumed size of a list whose size argument is not given. */
  readonly costListSize: number
  /** The maximum assumed size of a list, whatever an argument requests. */
  readonly costMaxListSize: number
}

/** A field that can be selected, with `@cost` and `@listSize` of the IBM specification. */
export interface FieldCost {
  readonly type: GraphQLNamedType
  /** How many lists are nested; 0 if the field is not a list. */
  readonly listDepth: number
  /** The fields below that have the size of this field. */
  readonly sizedFields: readonly string[] | undefined
  /** For an interface, execution resolves the fields of its types, which can have other arguments and directives. */
  readonly declarations: readonly Declaration[]
}

/** What one declaration of a field costs. */
export interface Declaration {
  readonly weight: number
  /** The size where no argument gives one. */
  readonly size: number
  /** Whether that comes from `@listSize(assumedSize)`, instead of the number of items in list arguments. */
  readonly isAssumed: boolean
  readonly hasSizeArgument: boolean
  /** Whether fields of input objects with the name of a size argument count. */
  readonly isSearched: boolean
  readonly arguments: readonly ArgumentCost[]
}

interface ArgumentCost extends InputKind {
  readonly name: string
  /** Added if the argument is present. */
  readonly weight: number
  /** Where sizes are in its value: `[]` for the value itself, `['first']` for a field. */
  readonly sizePaths: readonly (readonly string[])[]
  readonly byDefault: unknown
}

/** The costs of the fields of a schema, read when first needed. */
export class FieldCosts {
  readonly settings: CostSettings
  readonly inputs: InputMeasures
  readonly #schema: GraphQLSchema
  readonly #fields = new WeakMap<Field, FieldCost>()

  constructor(schema: GraphQLSchema, settings: CostSettings) {
    this.#schema = schema
    this.settings = settings
    this.inputs = new InputMeasures(settings.costSizeArguments)
  }

  of(field: Field, parent: GraphQLObjectType | GraphQLInterfaceType): FieldCost {
    let cost = this.#fields.get(field)
    if (cost === undefined) this.#fields.set(field, (cost = this.#read(field, parent)))
    return cost
  }

  #read(field: Field, parent: GraphQLObjectType | GraphQLInterfaceType): FieldCost {
    const types = 'resolveType' in parent ? this.#schema.getPossibleTypes(parent) : []
    const fields = [field, ...types.flatMap((type) => type.getFields()[field.name] ?? [])]
    const declarations = fields.map((one) => this.#readDeclaration(one))
    let { type } = field
    while ('ofType' in type) type = type.ofType
    const names = stringsIn(argumentOf(field, 'listSize', 'sizedFields'))
    return {
      type,
      listDepth: String(field.type).lastIndexOf('[') + 1,
      sizedFields: names?.map((path) => path.slice(path.lastIndexOf('.') + 1)),
      // Most types of an interface declare a field as it does.
      declarations: [...new Map(declarations.map((one) => [keyOf(one), one])).values()],
    }
  }

  #readDeclaration(field: Field): Declaration {
    const { costSizeArguments, costListSize } = this.settings
    const slicing = stringsIn(argumentOf(field, 'listSize', 'slicingArguments'))
    const paths = (slicing ?? costSizeArguments).map((path) => path.split('.'))
    const read = field.args.map((argument) => ({
      ...inputKindOf(argument.type),
      name: argument.name,
      weight: weightOf(argument) ?? 0,
      sizePaths: paths.filter(([name]) => name === argument.name).map(([, ...path]) => path),
      byDefault: defaultOf(argument),
    }))
    const hasSizeArgument = read.some(({ sizePaths }) => sizePaths.length > 0)
    const assumed = argumentOf(field, 'listSize', 'assumedSize')
    const assumedSize = assumed?.kind === 'IntValue' ? Number(assumed.value) : undefined
    return {
      weight: weightOf(field) ?? 1,
      size: assumedSize ?? (hasSizeArgument ? costListSize : Math.ceil(costListSize / 2)),
      isAssumed: assumedSize !== undefined,
      hasSizeArgument,
      isSearched: slicing === undefined,
      arguments: read,
    }
  }
}

/** Equal declarations have equal keys. */
function keyOf(declaration: Declaration): string {
  // JSON cannot represent a BigInt, which a code-first schema may have as a default.
  return JSON.stringify(declaration, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** The size at a path of input fields, such as that of `page.first`; at least `unusable` if it is not a positive number. */
export function sizeAt(
  path: readonly string[],
  value: unknown,
  type: InputKind['type'],
  unusable: number,
): number {
  const [name, ...rest] = path
  if (name === undefined) return sizeIn(value, unusable)
  let most = 0
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const field = type?.getFields()[name]
    if (field === undefined || typeof one !== 'object' || one === null) continue
    const member = (one as { readonly [name: string]: unknown })[name]
    const given = member === undefined ? defaultOf(field) : member
    most = Math.max(most, sizeAt(rest, given, inputKindOf(field.type).type, unusable))
  }
  return most
}

/** The weight is a string, since the specification allows any kind of number. */
function weightOf(declared: Declared): number | undefined {
  const value = argumentOf(declared, 'cost', 'weight')
  const text = value !== undefined && 'value' in value ? String(value.value).trim() : ''
  const weight = text === '' ? NaN : Number(text)
  // A negative weight would let cheap fields offset expensive ones.
  return weight >= 0 ? Math.min(weight, Number.MAX_SAFE_INTEGER) : undefined
}

/** Only schemas built from SDL have directives. */
interface Declared {
  readonly astNode?:
    | { readonly directives?: readonly ConstDirectiveNode[] | undefined }
    | null
    | undefined
}

function argumentOf(
  { astNode }: Declared,
  directive: string,
  argument: string,
): ConstValueNode | undefined {
  return astNode?.directives
    ?.find(({ name }) => name.value === directive)
    ?.arguments?.find(({ name }) => name.value === argument)?.value
}

function stringsIn(value: ConstValueNode | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  const values = value.kind === 'ListValue' ? value.values : [value]
  return values.flatMap((one) => (one.kind === 'StringValue' ? [one.value] : []))
}
