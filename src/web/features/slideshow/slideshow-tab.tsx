import type { SlideshowData } from './slideshow-data.ts'

interface SlideshowTabProps {
  /** Null while it is being read, and when that has failed. */
  data: SlideshowData | null
  failed: boolean
}

/** The coordinator's tab (spec §2 "Other tabs"). */
export function SlideshowTab({ data, failed }: SlideshowTabProps) {
  return (
    <h1 className="text-2xl font-bold tracking-tight" data-failed={failed} data-shown={data?.shown}>
      Slideshow
    </h1>
  )
}
