// npm start: installs and builds what is missing, then runs the product in this process.

import { pathToFileURL } from 'node:url'
import { buildProduct, isBuilt, serverEntry } from './product-build.mjs'
import { checkNode, installDependencies, root } from './set-up.mjs'

checkNode()
// Relative folders such as ./data are relative to the repository.
process.chdir(root)
await installDependencies({ production: isBuilt() })
await buildProduct()
process.env.NODE_ENV = 'production'
await import(pathToFileURL(serverEntry).href)
