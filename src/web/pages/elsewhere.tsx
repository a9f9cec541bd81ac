import { redirect } from 'react-router'

/** Any other path leads home (spec §2). */
export function loader() {
  return redirect('/')
}

/** The route never renders; React Router answers a route without a component with bare data. */
export default function Elsewhere() {
  return null
}
