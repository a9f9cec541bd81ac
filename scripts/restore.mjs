// npm run restore -- FILE: replaces the product's database with a backup.
import { runProgram } from './product-build.mjs'

await runProgram('restore')
