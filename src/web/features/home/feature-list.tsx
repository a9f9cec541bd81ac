import { FileCheck2, LockKeyhole, Smartphone, WifiOff } from 'lucide-react'

const features = [
  {
    Icon: Smartphone,
    title: 'Made for your phone',
    text: 'The whole enlistment form fits a small screen, with the right keyboard for every answer.',
  },
  {
    Icon: WifiOff,
    title: 'Patient with bad signal',
    text: 'A lost connection loses nothing: what you typed stays, and sending again never enlists you twice.',
  },
  {
    Icon: FileCheck2,
    title: 'A reference at once',
    text: 'You get a reference code to print or save, and the office sees your record within seconds.',
  },
  {
    Icon: LockKeyhole,
    title: 'Your data stays yours',
    text: 'Only the NSTP office reads your record. The Data Privacy Act gives you the right to see and correct it.',
  },
]

/** What the portal does for a student. */
export function FeatureList() {
  return (
    <section aria-labelledby="features" className="page-width py-14 md:py-20">
      <h2 id="features" className="text-2xl font-bold tracking-tight md:text-3xl">
        Enlistment without the queue
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {features.map(({ Icon, title, text }) => (
          <li key={title} className="border-t-2 border-primary pt-4">
            <Icon aria-hidden="true" className="size-7 text-primary" strokeWidth={1.75} />
            <h3 className="mt-3 text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
