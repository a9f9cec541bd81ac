interface NavigationTarget {
  label: 'Home' | 'Dashboard'
  to: string
}

/** The signed-in administrator's way between the two sides: back home from the dashboard, to it from elsewhere. */
export function homeOrDashboard(pathname: string): NavigationTarget {
  const isOnDashboard = pathname === '/dashboard' || pathname === '/admin' || pathname.startsWith('/admin/')
  return isOnDashboard ? { label: 'Home', to: '/' } : { label: 'Dashboard', to: '/dashboard' }
}
