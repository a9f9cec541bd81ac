// npm run build: builds the product into build/, for machines that run it without the development tools.
import { buildProduct } from './product-build.mjs'
import { checkNode, installDependencies } from './set-up.mjs'

checkNode()
await installDependencies()
await buildProduct()
