// npm run admin -- COMMAND: the operator's commands, on the same database as the product.
import { pathToFileURL } from 'node:url'
import { adminEntry, buildProduct, isBuilt } from './product-build.mjs'
import { checkNode, installDependencies, root } from './set-up.mjs'

checkNode()
process.chdir(root)
await installDependencies({ production: isBuilt() })
await buildProduct()
process.env.NODE_ENV = 'production'
await import(pathToFileURL(adminEntry).href)
