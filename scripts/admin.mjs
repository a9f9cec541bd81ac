// npm run admin -- COMMAND: the operator's commands, on the product's database.
import { runCommand } from './product-build.mjs'

await runCommand('admin')
