// npm start: installs and builds what is missing, then runs the product in this process.
import { runProgram } from './product-build.mjs'

await runProgram('index')
