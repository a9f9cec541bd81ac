// npm run backup -- FILE: writes the product's database to one file.
import { runProgram } from './product-build.mjs'

await runProgram('backup')
