import { clsx } from 'clsx'
import { CircleCheck, ImageDown, Printer } from 'lucide-react'
import { type ReactNode, type Ref, useContext } from 'react'
import { Link } from 'react-router'
import { announcementPath } from '#shared/announcements/announcements.ts'
import { myPath } from '#shared/my/my-path.ts'
import { perZone } from '#shared/program-calendar.ts'
import { nextSteps } from '#shared/registration/consent.ts'
import { componentNames, isComponent } from '#shared/students/student-choices.ts'
import { Button } from '#web/components/button.tsx'
import { EventBlock } from '#web/components/event-block.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useSite } from '#web/lib/site.ts'
import { useTranslation, WordsContext } from '#web/lib/translation.tsx'
import type { UpcomingEvent } from './receipt.ts'
import { codeAnchor, type Mailed, mailNotice, registrationSentences } from './registration-texts.tsx'

interface ConfirmationProps extends Mailed {
  reference: string
  registrationDate: string
  nstpComponent: string
  /** Known only right after enlisting: the cookie behind the page holds no name. */
  initials?: string
  events: readonly UpcomingEvent[]
  titleRef?: Ref<HTMLHeadingElement>
  codeRef?: Ref<HTMLParagraphElement>
  /** The code is half of the key to /my, and whoever holds the phone may have opened the page. */
  coversCode?: boolean
  notice?: ReactNode
  actions: ReactNode
}

const steps = ['Write down the reference code, or print or save this page.', ...nextSteps]

/** The confirmation on the screen and for print. */
export function Confirmation(props: ConfirmationProps) {
  const timeZone = useProgramTimeZone()
  const t = useTranslation()
  const { reference, registrationDate, nstpComponent, initials, events, titleRef, codeRef } = props
  const { notice, actions, coversCode = false } = props
  const mailed = mailNotice(props)
  const formats = useContext(WordsContext) ? filipinoFormat : englishFormat
  const registeredOn = formats(timeZone).format(new Date(registrationDate))
  return (
    <article className="mx-auto max-w-2xl overflow-clip rounded-box border bg-card shadow-card print:max-w-none print:border-0 print:shadow-none">
      <header className="on-pine bg-pine px-[min(1.25rem,20px)] py-6 text-on-pine sm:px-8 print:bg-card print:px-0 print:text-fg">
        <CircleCheck className="size-9 text-gold max-sm:hidden print:hidden" />
        <h1 ref={titleRef} tabIndex={-1} className="text-2xl sm:mt-3 font-bold tracking-tight outline-hidden">
          {t(registrationSentences.success)}
        </h1>
        {mailed && <p className="mt-2 text-on-pine-muted print:text-fg">{t(mailed)}</p>}
      </header>
      {notice}
      <div className="@container px-[min(1.25rem,20px)] py-4 sm:px-8 sm:py-6 print:px-0">
        <p className="text-sm font-semibold text-muted">{t('Your reference code')}</p>
        {/* Beside the code, which a closed one would also hide from print. */}
        {coversCode && (
          <details className="peer mt-1 open:hidden has-[+:target]:hidden print:hidden">
            <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-box border px-4 font-semibold hover:bg-soft">
              {t('Show the code')}
            </summary>
          </details>
        )}
        <p
          ref={codeRef}
          id={codeAnchor}
          data-uncovered=""
          // The code is as large as one line of the card allows. Large text breaks at its hyphens.
          className={clsx(
            'mt-1 scroll-mt-40 font-mono text-[clamp(1.25rem,10.5cqi,1.875rem)]/[1.2] font-bold tracking-wider wrap-anywhere sm:text-4xl',
            coversCode && 'hidden peer-open:block target:block print:block',
          )}
        >
          {reference}
        </p>
        <dl className="mt-5 grid gap-x-6 gap-y-3 sm:grid-cols-2">
          <div data-uncovered="">
            <dt className="text-sm text-muted">{t('NSTP component')}</dt>
            <dd className="font-semibold">
              {nstpComponent}
              {isComponent(nstpComponent) && (
                <span className="block font-normal">{componentNames[nstpComponent]}</span>
              )}
            </dd>
          </div>
          <div>
            <dt className="text-sm text-muted">{t('Registered')}</dt>
            <dd className="font-semibold">{registeredOn}</dd>
          </div>
        </dl>
        {/* The cookie behind this page holds no name, so it is written by hand. */}
        <p className="mt-7 hidden border-b border-edge pb-1 text-sm print:block">{t('Name')}:</p>
        <h2 className="mt-7 font-bold">{t('Next steps')}</h2>
        <ol className="mt-2 flex list-decimal flex-col gap-1.5 pl-5">
          {steps.map((step) => (
            <li key={step}>{t(step)}</li>
          ))}
        </ol>
        <p className="mt-3 print:hidden">
          <Link to={myPath} className="font-semibold text-primary underline underline-offset-4">
            {t('My NSTP')}
          </Link>
          {': '}
          {t(
            'see your section and your result there, and ask for corrections, with this code and your birth date.',
          )}
        </p>
        {events.length > 0 && <UpcomingEvents events={events} />}
        <div className="mt-7 flex flex-wrap gap-3 print:hidden">
          <PrintButton />
          <PictureButton
            reference={reference}
            facts={[
              [t('NSTP component'), nstpComponent],
              [t('Registered'), registeredOn],
              ...(initials ? [[t('Initials'), initials] as const] : []),
            ]}
          />
          {actions}
        </div>
      </div>
    </article>
  )
}

function UpcomingEvents({ events }: Pick<ConfirmationProps, 'events'>) {
  const t = useTranslation()
  return (
    <>
      <h2 className="mt-7 mb-2 font-bold">{t('Upcoming events')}</h2>
      <div className="flex flex-col gap-3">
        {events.map((event) => (
          <EventBlock
            key={event.id}
            {...event}
            heading={
              <Link
                to={announcementPath(event.id)}
                dir="auto"
                className="font-bold wrap-anywhere text-primary underline underline-offset-4"
              >
                {event.title}
              </Link>
            }
          />
        ))}
      </div>
    </>
  )
}

// Printing needs scripts; without them the browser's menu prints.
function PrintButton() {
  const isHydrated = useHydrated()
  return (
    <Button
      variant="outline"
      disabled={!isHydrated}
      icon={Printer}
      className="noscript:hidden"
      onClick={() => window.print()}
    >
      Print or save
    </Button>
  )
}

interface PictureButtonProps {
  reference: string
  facts: readonly (readonly [label: string, text: string])[]
}

function PictureButton({ reference, facts }: PictureButtonProps) {
  const isHydrated = useHydrated()
  const { schoolName, systemName } = useSite()

  async function save() {
    try {
      const { saveReceiptPicture } = await import('./receipt-picture.ts')
      await saveReceiptPicture({ title: schoolName || systemName, reference, facts })
    } catch {
      showToast('error', 'The picture could not be saved. Take a screenshot, or print this page.')
    }
  }

  return (
    <Button
      variant="outline"
      disabled={!isHydrated}
      icon={ImageDown}
      className="noscript:hidden"
      onClick={() => void save()}
    >
      Save as picture
    </Button>
  )
}

// Times are in the program's time zone: the same on the server and on any device.
const formatIn = (locale: string) =>
  perZone((timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }))
const englishFormat = formatIn('en-PH')
const filipinoFormat = formatIn('fil-PH')
