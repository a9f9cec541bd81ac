// npm run backup -- FILE: writes the product's database to one file.
import { runCommand } from './product-build.mjs'

await runCommand('backup')
