import { Skeleton } from '#web/components/skeleton.tsx'

const places = ['a', 'b', 'c', 'd', 'e', 'f']

/** The shape of the cards while they are being read. */
export function CardsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading announcements...</span>
      <div aria-hidden="true" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {places.map((place) => (
          <div key={place} className="overflow-hidden rounded-box border bg-card shadow-card">
            <Skeleton className="aspect-video rounded-none!" />
            <div className="flex flex-col gap-3 p-5">
              <Skeleton className="h-5 w-32" />
              <Skeleton className="h-6 w-4/5" />
              <Skeleton />
              <Skeleton className="h-4 w-2/3" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
