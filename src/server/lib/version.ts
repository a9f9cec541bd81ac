/** The product's version, as in package.json (a test compares them). */
export const productVersion = '0.1.0'
