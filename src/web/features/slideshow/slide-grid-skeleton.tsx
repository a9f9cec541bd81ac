import { Skeleton } from '#web/components/skeleton.tsx'

/** The shape of the slides while they are being read. */
export function SlideGridSkeleton() {
  return (
    <div role="status" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      <span className="sr-only">Loading the slides</span>
      {['a', 'b', 'c'].map((card) => (
        <div key={card} aria-hidden="true" className="overflow-hidden rounded-box border bg-card">
          <Skeleton className="aspect-video w-full" />
          <div className="flex flex-col gap-3 p-3">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-4" />
            <Skeleton className="h-9 w-48" />
          </div>
        </div>
      ))}
    </div>
  )
}
