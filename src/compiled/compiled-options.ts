import { shapesOf, type NumberRows } from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'

/** The options of `compiledExecution`. */
export interface CompiledOptions {
  /** Executions of an operation by graphql-js before it is compiled. At most 1,000,000. Default: 2. */
  readonly afterUses?: number | undefined
  /** Plans of one operation, for different values of the variables that @skip and @include read. At most 1,000. Default: 16. */
  readonly maxVariants?: number | undefined
  /** Memory of all plans together, as estimated, in bytes. At most 1024 MiB. Default: 16 MiB. */
  readonly maxPlanBytes?: number | undefined
}

/** The numbers of compiling. To add one, add a row. */
export const compiledRows: NumberRows<CompiledOptions> = {
  afterUses: {
    doc: 'Executions of an operation by graphql-js before it is compiled.',
    default: 2,
    most: 1_000_000,
    refusal: 'it is compiled',
    why: 'compiling pays from the third use on',
  },
  maxVariants: {
    doc: 'Plans of one operation, for different values of the variables that @skip and @include read.',
    default: 16,
    least: 1,
    most: 1_000,
    refusal: 'graphql-js executes',
    why: 'ten such variables have 1,024 combinations',
  },
  maxPlanBytes: {
    doc: 'Memory of all plans together, as estimated.',
    default: 16_777_216,
    most: 1_073_741_824,
    unit: 'bytes',
    refusal: 'the plans not used for longest are dropped',
    why: 'clients choose their documents',
  },
}

/** The valid values of the options. */
export const compiledShape: Shape = objectOf<CompiledOptions>(
  '{ afterUses }',
  shapesOf(compiledRows),
)
