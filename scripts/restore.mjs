// npm run restore -- FILE: replaces the product's database with a backup.
import { runCommand } from './product-build.mjs'

await runCommand('restore')
