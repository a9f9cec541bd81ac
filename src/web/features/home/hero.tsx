import type { SessionUser } from '#shared/session.ts'
import type { HeroTexts } from '#shared/site-texts.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { SunMark } from '#web/components/sun-mark.tsx'

/** Fixed texts (spec §1). */
const stats = [
  { figure: '1000+', label: 'Students' },
  { figure: '3', label: 'Courses' },
  { figure: '50+', label: 'Faculty' },
]

/** The banner of the home page. */
export function Hero({ user, texts }: { user: SessionUser | null; texts: HeroTexts }) {
  return (
    <section className="on-pine relative isolate overflow-hidden bg-pine text-on-pine">
      <div className="page-width relative py-14 md:py-24">
        <div className="max-w-xl">
          {texts.eyebrow && (
            <p
              dir="auto"
              className="text-sm font-semibold tracking-widest text-gold uppercase rtl:tracking-normal"
            >
              {texts.eyebrow}
            </p>
          )}
          <h1 dir="auto" className="mt-3 text-4xl leading-tight font-extrabold tracking-tight sm:text-5xl">
            {texts.title}
          </h1>
          <p dir="auto" className="mt-4 text-lg text-on-pine-muted">
            {texts.text}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            {user ? (
              <ButtonLink to="/dashboard" variant="gold" size="lg">
                Go to Dashboard
              </ButtonLink>
            ) : (
              <>
                <ButtonLink to="/register" reloadDocument variant="gold" size="lg">
                  Register Now
                </ButtonLink>
                <ButtonLink
                  to="/login"
                  variant="outline"
                  size="lg"
                  className="border-on-pine-muted! bg-pine! text-on-pine! hover:bg-pine-deep!"
                >
                  Login
                </ButtonLink>
              </>
            )}
          </div>
          <dl className="mt-12 flex flex-wrap gap-x-5 gap-y-4 sm:gap-x-10">
            {stats.map(({ figure, label }) => (
              <div key={label} className="flex flex-col-reverse border-l-2 border-gold pl-3 sm:pl-4">
                <dt className="text-sm text-on-pine-muted">{label}</dt>
                <dd className="text-2xl font-bold tabular-nums sm:text-3xl">{figure}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      <div aria-hidden="true" className="weave relative h-3" />
      {/* Last, because its place hangs on the height of the rest: it doesn't move while the page arrives. */}
      <SunMark className="absolute -z-10 -right-40 -bottom-64 size-144 text-gold opacity-15 md:-right-24 md:-bottom-72 md:size-192 md:opacity-90" />
    </section>
  )
}
