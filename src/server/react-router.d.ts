import 'react-router'

// The flag of react-router.config.ts that changes types; React Router's own declaration of it is only
// generated for the pages' side.
declare module 'react-router' {
  interface Future {
    v8_middleware: true
  }
}
