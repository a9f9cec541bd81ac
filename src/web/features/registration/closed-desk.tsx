import { ButtonLink } from '#web/components/button.tsx'
import { FormTitle } from './form-title.tsx'

/** In the form's place while registration is closed. */
export function ClosedDesk({ sentence }: { sentence: string }) {
  return (
    <div className="page-width py-8 md:py-12">
      <FormTitle />
      <section
        aria-labelledby="closed"
        className="mt-6 max-w-3xl rounded-box border border-edge bg-card p-5 shadow-card sm:p-8"
      >
        <h2 id="closed" className="text-xl font-bold">
          Registration is closed
        </h2>
        <p dir="auto" className="mt-2 text-lg wrap-anywhere">
          {sentence}
        </p>
        <p className="mt-2 text-muted noscript:hidden">
          This page shows the form by itself as soon as it opens again.
        </p>
        <ButtonLink to="/" variant="outline" className="mt-5">
          Go to the home page
        </ButtonLink>
      </section>
    </div>
  )
}

/**
 * Tells somebody who is filling the form in that it can't be sent just now. It lies at the foot of the screen,
 * so that nothing moves, and stands in the page from the start: what a status says is read out only when it
 * changes.
 */
export function ClosedBanner({ sentence }: { sentence: string | null }) {
  return (
    <div role="status" className="sticky bottom-0 z-10">
      {sentence !== null && (
        <p className="border-t border-warning bg-warning-soft px-4 py-3 text-warning">
          <span className="font-bold">Registration was closed meanwhile.</span> <bdi>{sentence}</bdi> What you
          have typed stays here.
        </p>
      )}
    </div>
  )
}
