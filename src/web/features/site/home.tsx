import {
  CalendarDays,
  FileCheck2,
  LockKeyhole,
  type LucideIcon,
  Smartphone,
  Users,
  WifiOff,
} from 'lucide-react'
import type { SessionUser } from '#shared/auth/session.ts'
import type { Picture as PictureData } from '#shared/files/picture.ts'
import type { FeatureIcon, SiteTexts } from '#shared/settings/site-texts.ts'
import { callToAction } from '#shared/site/calls-to-action.ts'
import { SunMark } from '#web/components/brand.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { useEnlistmentAvailability, useSite } from '#web/lib/site.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { CallToActionLink, useEnlistmentSentence } from './call-to-action.tsx'

// Product 1.1.
const stats = [
  { figure: '1000+', label: 'Students' },
  { figure: '3', label: 'Courses' },
  { figure: '50+', label: 'Faculty' },
]

interface HeroProps {
  user: SessionUser | null
  texts: SiteTexts['hero']
  /** The first slide's. */
  picture: PictureData | null
}

export function Hero({ user, texts, picture }: HeroProps) {
  const sentence = useEnlistmentSentence()
  const t = useTranslation()
  return (
    <section className="on-pine relative isolate overflow-hidden bg-pine text-on-pine">
      <div className="page-width relative py-6 md:py-20">
        <div className="max-w-xl">
          <School />
          {texts.eyebrow && (
            <p
              dir="auto"
              className="text-sm font-semibold tracking-widest text-gold uppercase rtl:tracking-normal"
            >
              {t(texts.eyebrow)}
            </p>
          )}
          <h1
            dir="auto"
            className="mt-3 text-[min(2.25rem,16vw)] leading-tight font-extrabold tracking-tight sm:text-5xl"
          >
            {t(texts.title)}
          </h1>
          <p dir="auto" className="mt-3 text-on-pine-muted sm:mt-4 sm:text-lg">
            {t(texts.text)}
          </p>
          {sentence !== null && <p className="mt-4 text-lg font-semibold text-gold">{t(sentence)}</p>}
          <div className="mt-6 flex flex-wrap gap-3 sm:mt-8">
            {user ? (
              <ButtonLink to="/dashboard" variant="gold" size="lg">
                Go to Dashboard
              </ButtonLink>
            ) : (
              <>
                <CallToActionLink>Register Now</CallToActionLink>
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
          <dl className="mt-6 flex flex-wrap gap-x-5 gap-y-4 sm:gap-x-10 md:mt-12">
            {stats.map(({ figure, label }) => (
              <div key={label} className="flex flex-col-reverse border-l-2 border-gold pl-3 sm:pl-4">
                <dt className="text-sm text-on-pine-muted">{t(label)}</dt>
                <dd className="text-2xl font-bold tabular-nums sm:text-3xl">{figure}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      <div aria-hidden="true" className="weave relative h-3" />
      {picture && <HeroPicture picture={picture} />}
      {/* Last, because its place hangs on the height of the rest: it doesn't move while the page arrives. */}
      {!picture && (
        <SunMark className="absolute -z-10 -right-40 -bottom-64 size-144 text-gold opacity-15 lg:-right-24 lg:-bottom-72 lg:size-192 lg:opacity-90" />
      )}
    </section>
  )
}

/** The name of the school whose portal this is, and its seal. */
function School() {
  const { schoolName, logoUrl } = useSite()
  if (schoolName === '') return null
  return (
    <p className="mb-4 flex items-center gap-3">
      {logoUrl !== null && (
        <img src={logoUrl} alt="" width={56} height={56} className="size-14 shrink-0 object-contain" />
      )}
      <span dir="auto" className="min-w-0 text-lg leading-snug font-bold wrap-anywhere sm:text-xl">
        {schoolName}
      </span>
    </p>
  )
}

/**
 * The words stand on the shade, not on the picture: on a phone it covers all, beside a wide picture it ends in
 * the middle. Under the shade half the pixels do.
 */
function HeroPicture({ picture }: { picture: PictureData }) {
  return (
    <div aria-hidden="true" className="absolute inset-0 -z-10 print:hidden">
      <Picture
        picture={picture}
        alt=""
        sizes="(min-width: 64rem) 75vw, 50vw"
        isFirst
        className="size-full object-cover"
      />
      <div className="absolute inset-0 bg-pine/85 lg:bg-transparent lg:bg-linear-to-r lg:from-pine lg:from-40% lg:via-pine/80 lg:via-60% lg:to-pine/10" />
    </div>
  )
}

const steps = [
  { title: 'Choose a component', text: 'ROTC or CWTS: pick the one you will train in.' },
  { title: 'Fill in the form', text: 'Enter your details, your school record and an emergency contact.' },
  { title: 'Keep your code', text: 'Save your reference code and bring it to the NSTP office if asked.' },
]

export function CallToAction({ user }: { user: SessionUser | null }) {
  const t = useTranslation()
  const sentence = useEnlistmentSentence()
  const isOffered = callToAction(useEnlistmentAvailability()) === 'enlist'
  return (
    <section aria-labelledby="begin" className="page-width pb-8 md:pb-20">
      <div className="on-pine relative isolate overflow-hidden rounded-box bg-pine p-[min(1.5rem,24px)] text-on-pine shadow-card md:p-12">
        <h2 id="begin" className="text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
          {t(isOffered ? 'Ready to enlist?' : 'How to enlist')}
        </h2>
        {sentence !== null && <p className="mt-2 font-semibold text-gold">{t(sentence)}</p>}
        <ol className="mt-5 grid grid-cols-1 gap-4 md:mt-8 md:grid-cols-3 md:gap-6">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="flex gap-4">
              <span
                aria-hidden="true"
                className="grid size-9 shrink-0 place-items-center rounded-full border-2 border-gold font-bold text-gold"
              >
                {index + 1}
              </span>
              <span className="min-w-0">
                <span className="block text-lg font-semibold">{t(title)}</span>
                <span className="block text-on-pine-muted max-sm:text-sm">{t(text)}</span>
              </span>
            </li>
          ))}
        </ol>
        <div className="mt-6 flex flex-wrap gap-3 md:mt-10">
          {user ? (
            <ButtonLink to="/admin?tab=students" variant="gold" size="lg">
              See who enlisted
            </ButtonLink>
          ) : (
            <CallToActionLink>Start enlistment</CallToActionLink>
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

const icons: Record<FeatureIcon, LucideIcon> = {
  phone: Smartphone,
  signal: WifiOff,
  document: FileCheck2,
  lock: LockKeyhole,
  people: Users,
  calendar: CalendarDays,
}

export function FeatureList({ texts: { title, items } }: { texts: SiteTexts['features'] }) {
  const t = useTranslation()
  if (items.length === 0) return null
  return (
    <section aria-labelledby="features" className="page-width pt-8 md:pt-16">
      <h2 id="features" dir="auto" className="text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
        {t(title)}
      </h2>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-x-8 gap-y-3 sm:gap-y-6 md:mt-8">
        {items.map((feature) => {
          const Icon = icons[feature.icon]
          return (
            <li
              key={`${feature.title} ${feature.text}`}
              // The icon is aligned with the start of the title.
              dir="auto"
              className="border-t-2 border-primary pt-3 max-sm:flex max-sm:gap-3 sm:pt-4"
            >
              <Icon className="size-7 shrink-0 text-primary" strokeWidth={1.75} />
              <div className="min-w-0 flex-1">
                <h3 className="text-lg font-semibold sm:mt-3">{t(feature.title)}</h3>
                <p dir="auto" className="text-muted max-sm:text-sm sm:mt-1">
                  {t(feature.text)}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function Testimonials({ texts: { title, items } }: { texts: SiteTexts['testimonials'] }) {
  const t = useTranslation()
  if (items.length === 0) return null
  return (
    <section aria-labelledby="testimonials" className="on-pine bg-pine text-on-pine">
      <div className="page-width py-8 md:py-16">
        <h2 id="testimonials" dir="auto" className="text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
          {t(title)}
        </h2>
        <ul className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-x-10 gap-y-5 md:mt-8 md:gap-y-10">
          {items.map(({ quote, attribution }) => (
            <li key={`${attribution} ${quote}`} className="max-w-2xl">
              <figure dir="auto" className="flex h-full flex-col border-s-2 border-gold ps-5">
                <blockquote className="sm:text-lg sm:leading-relaxed">“{quote}”</blockquote>
                <figcaption dir="auto" className="mt-auto pt-1 text-sm sm:pt-3 font-semibold text-gold">
                  {attribution}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
