import { redirect } from 'react-router'

// Product 6.3.
export function loader() {
  return redirect('/')
}

// Never rendered: React Router answers a route without a component with bare data.
export default function RedirectHome() {
  return null
}
