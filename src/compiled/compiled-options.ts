import { amount, bytes, count, shapesOf, type NumbersOf } from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'

/** The numbers of compiling. To add one, add a row. */
export const compiledRows = {
  /** Executions of an operation by graphql-js before it is compiled. At most 1,000,000. Default: 2. */
  // Beyond it: it is compiled. Reason: compiling pays from the third use on.
  afterUses: amount(2, {
    most: 1_000_000,
  }),
  /** Plans of one operation, for different values of the variables that @skip and @include read. At most 1,000. Default: 16. */
  // Beyond it: graphql-js executes. Reason: ten such variables have 1,024 combinations.
  maxVariants: count(16, {
    most: 1_000,
  }),
  /** Memory of all plans together, as estimated, in bytes. At most 1024 MiB. Default: 16 MiB. */
  // Beyond it: the plans not used for longest are dropped. Reason: clients choose their documents.
  maxPlanBytes: bytes(16_777_216, {
    most: 1_073_741_824,
  }),
}

/** The options of `compiledExecution`. */
export type CompiledOptions = NumbersOf<typeof compiledRows>

/** The valid values of the options. */
export const compiledShape: Shape = objectOf<CompiledOptions>(
  '{ afterUses }',
  shapesOf(compiledRows),
)
