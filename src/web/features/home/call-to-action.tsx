import { ButtonLink } from '#web/components/button.tsx'

const steps = [
  { title: 'Choose', text: 'ROTC or CWTS: pick the component you will train in.' },
  { title: 'Fill in', text: 'Your details, your school record and whom to call in an emergency.' },
  { title: 'Keep', text: 'Your reference code. Bring it to the NSTP office if they ask for it.' },
]

/** The steps of enlisting and the way to begin. */
export function CallToAction() {
  return (
    <section aria-labelledby="begin" className="page-width py-14 md:py-20">
      <div className="grid gap-8 rounded-box border bg-card p-6 shadow-card md:grid-cols-[1fr_auto] md:items-center md:p-10">
        <div>
          <h2 id="begin" className="text-2xl font-bold tracking-tight md:text-3xl">
            Ready to enlist?
          </h2>
          <ol className="mt-6 grid gap-5 sm:grid-cols-3">
            {steps.map(({ title, text }, index) => (
              <li key={title} className="flex gap-3">
                <span
                  aria-hidden="true"
                  className="grid size-8 shrink-0 place-items-center rounded-full bg-primary-soft font-bold text-primary"
                >
                  {index + 1}
                </span>
                <span>
                  <span className="block font-semibold">{title}</span>
                  <span className="block text-sm text-muted">{text}</span>
                </span>
              </li>
            ))}
          </ol>
        </div>
        <ButtonLink to="/register" size="lg">
          Start the enlistment form
        </ButtonLink>
      </div>
    </section>
  )
}
