import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { api, reading } from '#web/lib/api.ts'

/** The code for the office's wall. While the switch is on, nobody enlists without it. */
export function DayCode() {
  const { data } = useQuery({
    queryKey: ['settings', 'day code'],
    queryFn: reading(api.registrations.code.$get, undefined),
  })
  return (
    <p className="text-sm">
      Today’s code: {/* Its place is kept, so that nothing moves when it comes. */}
      <span className={clsx('font-mono text-xl font-bold tracking-widest', !data && 'invisible')}>
        {data?.code ?? '000000'}
      </span>
      . It changes at midnight.
    </p>
  )
}
