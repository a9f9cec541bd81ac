// npm run admin -- COMMAND: the operator's commands, on the same database as the product.
import { runCommand } from './product-build.mjs'

await runCommand('admin')
