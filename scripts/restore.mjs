// npm run restore -- FILE: puts a backup in the place of the product's database.
import { runCommand } from './product-build.mjs'

await runCommand('restore')
