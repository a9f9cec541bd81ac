import type { SessionUser } from '#shared/session.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { SunMark } from '#web/components/sun-mark.tsx'

const steps = [
  { title: 'Choose', text: 'ROTC or CWTS: pick the component you will train in.' },
  { title: 'Fill in', text: 'Your details, your school record and whom to call in an emergency.' },
  { title: 'Keep', text: 'Your reference code. Bring it to the NSTP office if they ask for it.' },
]

/** The steps of enlisting and the way to begin; for the administrator, the way to those who began. */
export function CallToAction({ user }: { user: SessionUser | null }) {
  return (
    <section aria-labelledby="begin" className="page-width pb-14 md:pb-20">
      <div className="on-pine relative isolate overflow-hidden rounded-box bg-pine p-6 text-on-pine shadow-card md:p-12">
        <h2 id="begin" className="text-2xl font-bold tracking-tight md:text-3xl">
          Ready to enlist?
        </h2>
        <ol className="mt-8 grid gap-6 md:grid-cols-3">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="flex gap-4">
              <span
                aria-hidden="true"
                className="grid size-9 shrink-0 place-items-center rounded-full border-2 border-gold font-bold text-gold"
              >
                {index + 1}
              </span>
              <span>
                <span className="block text-lg font-semibold">{title}</span>
                <span className="block text-on-pine-muted">{text}</span>
              </span>
            </li>
          ))}
        </ol>
        <div className="mt-10 flex flex-wrap gap-3">
          {user ? (
            <ButtonLink to="/admin?tab=students" variant="gold" size="lg">
              See who enlisted
            </ButtonLink>
          ) : (
            <ButtonLink to="/register" reloadDocument variant="gold" size="lg">
              Start enlistment
            </ButtonLink>
          )}
          <ButtonLink
            to="/faq"
            variant="outline"
            size="lg"
            className="border-on-pine-muted! bg-transparent! text-on-pine! hover:bg-pine-deep!"
          >
            Read the FAQ
          </ButtonLink>
        </div>
        <SunMark className="absolute -right-24 -bottom-32 -z-10 size-96 text-gold opacity-15" />
      </div>
    </section>
  )
}
