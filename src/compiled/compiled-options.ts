import { amount, bytes, count, shapesOf, type NumbersOf } from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'

/** The numbers of compiling. To add one, add a row. */
export const compiledRows = {
  /** Executions of an operation by graphql-js before it is compiled. At most 1,000,000. Default: 2. */
  afterUses: amount(2, {
    doc: 'Executions of an operation by graphql-js before it is compiled.',
    most: 1_000_000,
    refusal: 'it is compiled',
    why: 'compiling pays from the third use on',
  }),
  /** Plans of one operation, for different values of the variables that @skip and @include read. At most 1,000. Default: 16. */
  maxVariants: count(16, {
    doc: 'Plans of one operation, for different values of the variables that @skip and @include read.',
    most: 1_000,
    refusal: 'graphql-js executes',
    why: 'ten such variables have 1,024 combinations',
  }),
  /** Memory of all plans together, as estimated, in bytes. At most 1024 MiB. Default: 16 MiB. */
  maxPlanBytes: bytes(16_777_216, {
    doc: 'Memory of all plans together, as estimated.',
    most: 1_073_741_824,
    refusal: 'the plans not used for longest are dropped',
    why: 'clients choose their documents',
  }),
}

/** The options of `compiledExecution`. */
export type CompiledOptions = NumbersOf<typeof compiledRows>

/** The valid values of the options. */
export const compiledShape: Shape = objectOf<CompiledOptions>(
  '{ afterUses }',
  shapesOf(compiledRows),
)
