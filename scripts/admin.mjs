// npm run admin -- COMMAND: the operator's commands, on the product's database.
import { runProgram } from './product-build.mjs'

await runProgram('admin')
