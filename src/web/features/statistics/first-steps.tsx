import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck, CircleDashed, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Link, type LoaderFunctionArgs, useNavigate, useRouteLoaderData } from 'react-router'
import { defaultSettings, type Settings } from '#shared/settings/settings.ts'
import type { DashboardCounts } from '#shared/statistics/statistics-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Panel } from '#web/components/panel.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, ifMatch, serverApi } from '#web/lib/api.ts'
import { isOwnComputer } from '#web/lib/own-computer.ts'
import { failureOf } from '#web/lib/query.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'

const hiddenMark = 'hidden'

export interface Start {
  /** Null where it wasn't asked for or could not be read: then the dashboard's own counts say it. */
  isNew: boolean | null
  marks: readonly string[]
}

/** Read by the server: the list is part of the first paint, and nothing moves down for it. */
export async function readStart({ context, request }: LoaderFunctionArgs): Promise<Start> {
  const marks = marksOf(request.headers.get('Cookie') ?? '')
  if (tabOf(new URL(request.url).search) !== 'dashboard') return { isNew: null, marks }
  const counts = await callApi(serverApi(context, request).dashboard.$get()).catch(() => null)
  return { isNew: counts && isUnused(counts), marks }
}

function isUnused({ totalStudents, archivedStudents }: DashboardCounts): boolean {
  // One of the steps is a registration to try it out.
  return totalStudents + archivedStudents <= 1
}

/** The steps that were opened from the list and can't be seen in the settings. A cookie, which the server knows too. */
function marksOf(cookies: string): string[] {
  return /(?:^|; )nstp-start=([\w.]+)/.exec(cookies)?.[1]?.split('.') ?? []
}

/** What a new office sets up first. Put away, it is found again by Ctrl K. @param isAsked shown anyway */
export function GettingStarted({ counts, isAsked }: { counts: DashboardCounts | null; isAsked: boolean }) {
  const navigate = useNavigate()
  const start = useRouteLoaderData<Start>('pages/admin')
  const [marks, setMarks] = useState(() =>
    typeof document === 'undefined' ? (start?.marks ?? []) : marksOf(document.cookie),
  )
  // While the page is open, students don't take the list away.
  const isNew = start?.isNew ?? (counts !== null && isUnused(counts))
  if (!(isAsked || (isNew && !marks.includes(hiddenMark)))) return null

  function add(mark: string) {
    const all = [...new Set([...marks, mark])]
    setMarks(all)
    // biome-ignore lint/suspicious/noDocumentCookie: browsers have no other way without https
    document.cookie = `nstp-start=${all.join('.')}; path=/admin; max-age=31536000; samesite=lax`
  }
  return (
    <Checklist
      marks={marks}
      onOpen={add}
      onHide={() => {
        add(hiddenMark)
        void navigate(tabPath('dashboard'), { replace: true })
      }}
    />
  )
}

interface ChecklistProps {
  marks: readonly string[]
  onOpen: (mark: string) => void
  onHide: () => void
}

function Checklist({ marks, onOpen, onHide }: ChecklistProps) {
  const { query, steps } = useSteps(marks)
  const failure = failureOf(query)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Panel
      title="Getting started"
      className="mb-5 border-primary"
      aside={
        <>
          <Hint className="mr-auto">
            {done} of {steps.length} done
          </Hint>
          <IconButton label="Hide getting started" icon={X} onClick={onHide} className="-mr-2" />
        </>
      }
    >
      <StepList name="First" steps={steps.filter(({ isMust }) => isMust)} onOpen={onOpen} />
      <StepList name="Later" steps={steps.filter(({ isMust }) => !isMust)} onOpen={onOpen} />
      {failure !== null && (
        <div className="border-t p-4">
          <ErrorBanner
            message={`Failed to check some of the steps: ${failure}`}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
    </Panel>
  )
}

interface StepListProps {
  name: string
  steps: readonly Step[]
  onOpen: (mark: string) => void
}

/** The button is below its step's title, and begins where the title does; in large text on a small phone, further left. */
const belowTitle = 'mb-1 ml-12 max-[22rem]:ml-4'

function StepList({ name, steps, onOpen }: StepListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-b last:border-b-0">
      <h3 id={id} className="px-4 pt-3 text-sm font-semibold text-muted">
        {name}
      </h3>
      <ul className="grid grid-cols-1 pb-1 sm:grid-cols-2">
        {steps.map(({ title, to, mark, confirm, press, isDone }) => (
          <li key={title} className="flex flex-wrap content-start items-center gap-x-2 pr-4">
            <Link
              to={to}
              {...(to === registerPath && { target: '_blank' })}
              onClick={() =>
                mark && !confirm && !(to === posterPath && isOwnComputer(location.hostname)) && onOpen(mark)
              }
              className="flex min-h-11 min-w-0 flex-auto items-center gap-3 px-4 py-1 text-sm font-medium wrap-anywhere hover:bg-soft"
            >
              {isDone ? (
                <CircleCheck className="size-5 shrink-0 text-success" />
              ) : isDone === undefined ? (
                <CircleDashed className="size-5 shrink-0 text-muted" />
              ) : (
                <Circle className="size-5 shrink-0 text-muted" />
              )}
              {title}
              {isDone !== undefined && <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>}
            </Link>
            {confirm && mark && !isDone && (
              <div className={belowTitle}>
                <SmallButton onClick={() => onOpen(mark)}>{confirm}</SmallButton>
              </div>
            )}
            {press && (
              <div className={belowTitle}>
                <SmallButton onClick={press.run}>{press.label}</SmallButton>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Step {
  title: string
  to: string
  isMust?: true
  /** Done once opened from here, or by its own button. */
  mark?: string
  confirm?: string
  /** Does the step here. */
  press?: { label: string; run: () => void } | undefined
  isDone: boolean | undefined
}

const registerPath = '/register'
// Its address is of use once other devices reach it.
const posterPath = '/poster'

type EnlistmentState = Settings['enlistment']['state']

export function enlistmentStep(
  state: EnlistmentState,
  hasOwnCourses: boolean,
  setState: (state: EnlistmentState) => void,
): Pick<Step, 'title' | 'press' | 'isDone'> {
  if (state === 'closed') {
    const press = { label: 'Open enlistment', run: () => setState('open') }
    return { title: 'Enlistment is closed. Open it when your courses are right', press, isDone: false }
  }
  if (state === 'dates') return { title: 'Enlistment opens and closes by its dates', isDone: true }
  if (hasOwnCourses) return { title: 'Enlistment is open', isDone: true }
  const press = { label: 'Close enlistment', run: () => setState('closed') }
  return { title: 'Enlistment is open. Close it until your courses are right', press, isDone: false }
}

function useSteps(marks: readonly string[]) {
  const settings = useSettings()
  const update = useUpdateSettings()
  const { run: setState } = useActionWithToast({
    topics: ['settings'],
    mutationFn: (state: EnlistmentState) =>
      callApi(
        api.settings.$patch({
          json: { enlistment: { ...settings.enlistment, state } },
          header: ifMatch(settings.version),
        }),
      ),
    onDone: update,
    saysFailure: true,
  })
  const query = useQuery({
    queryKey: ['mail-account', 'getting-started'],
    meta: { topics: ['settings', 'session', 'people'] },
    async queryFn({ signal }) {
      const init = { init: { signal } }
      const [{ status, publicAddress }, { isOn }, { last }, { items }] = await Promise.all([
        callApi(api.mail.account.$get(undefined, init)),
        callApi(api.session['two-factor'].$get(undefined, init)),
        callApi(api.backup.$get(undefined, init)),
        callApi(api.people.$get(undefined, init)),
      ])
      return {
        hasMail: status.isConfigured,
        hasAddress: publicAddress !== '',
        hasTwoFactor: isOn,
        hasBackup: last !== null,
        hasPeople: items.length > 1,
      }
    },
  })
  const { data } = query
  const setting = (anchor: string) => `${tabPath('system-settings')}#${anchor}`
  const { schoolName, logo, courses, rotcOfficeAddress, testimonials, enlistment, contact, dataProtection } =
    settings
  const samples = new Set(defaultSettings.testimonials.items.map(({ quote }) => quote))
  const hasOwnQuote = testimonials.items.some(({ quote }) => !samples.has(quote))
  const sampleCourses = courses.filter((course) => defaultSettings.courses.includes(course))
  const hasOwnCourses = sampleCourses.length === 0 || marks.includes('courses')
  const opened = (mark: string) => ({ mark, isDone: marks.includes(mark) })
  const must = { isMust: true } as const
  const steps: Step[] = [
    { ...must, to: setting('enlistment'), ...enlistmentStep(enlistment.state, hasOwnCourses, setState) },
    { ...must, title: 'School name', to: setting('names'), isDone: schoolName !== '' },
    {
      ...must,
      title: `Courses and academic years${sampleCourses.length > 0 ? ` (${sampleCourses.join(', ')}: samples)` : ''}`,
      to: setting('courses'),
      mark: 'courses',
      confirm: 'These are ours',
      isDone: hasOwnCourses,
    },
    {
      ...must,
      title: 'Data protection contact',
      to: setting('data-protection-contact'),
      isDone: dataProtection.email + dataProtection.phone !== '',
    },
    {
      ...must,
      // Every text that says "ask the office" needs a place and a way to write or call.
      title: 'Contact of the office',
      to: setting('contact'),
      isDone: contact.address !== '' && contact.email + contact.phone !== '',
    },
    { title: 'Submit a test enlistment', to: registerPath, ...opened('try') },
    { title: 'Share link and QR poster', to: posterPath, ...opened('poster') },
    { title: 'E-mail account', to: tabPath('email'), isDone: data?.hasMail },
    { title: 'Public address for links in e-mails', to: setting('public-address'), isDone: data?.hasAddress },
    { title: 'First backup', to: setting('backup'), isDone: data?.hasBackup },
    { title: 'Two-factor sign-in', to: tabPath('profile-settings'), isDone: data?.hasTwoFactor },
    {
      title: 'Add people instead of sharing your password',
      to: tabPath('people'),
      isDone: data?.hasPeople,
    },
    { title: 'Logo', to: setting('logo'), isDone: logo !== null },
    { title: 'Office address on the ROTC form', to: setting('names'), isDone: rotcOfficeAddress !== '' },
    { title: 'Testimonials of your graduates', to: setting('testimonials'), isDone: hasOwnQuote },
  ]
  return { query, steps }
}
