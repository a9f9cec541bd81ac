// npm run backup -- FILE: everything of the product's database, in one file.
import { runCommand } from './product-build.mjs'

await runCommand('backup')
