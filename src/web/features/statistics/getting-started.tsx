import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { defaultSettings } from '#shared/settings/settings.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useSettings } from '#web/lib/settings.tsx'

const storageKey = 'nstp-getting-started'

/** What a new office sets up first. Put away, it is found again by Ctrl K. @param isAsked shown anyway */
export function GettingStarted({ isNew, isAsked }: { isNew: boolean; isAsked: boolean }) {
  const [isDismissed, setDismissed] = useState(() => !isAsked && isStoredAsDismissed())
  if (isDismissed || !(isAsked || isNew)) return null
  return (
    <Checklist
      onDismiss={() => {
        setDismissed(true)
        try {
          localStorage.setItem(storageKey, 'dismissed')
        } catch {
          // Where the browser refuses storage, it is away as long as the page is open.
        }
      }}
    />
  )
}

function isStoredAsDismissed(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

function Checklist({ onDismiss }: { onDismiss: () => void }) {
  const id = useId()
  const steps = useSteps()
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section aria-labelledby={id} className="mb-5 rounded-box border border-primary bg-card shadow-card">
      <header className="flex items-center gap-3 border-b py-2 pr-2 pl-4">
        <h2 id={id} className="font-semibold">
          Getting started
        </h2>
        <p className="mr-auto text-sm text-muted">
          {done} of {steps.length} done
        </p>
        <IconButton label="Hide getting started" icon={X} onClick={onDismiss} />
      </header>
      <ul className="grid sm:grid-cols-2">
        {steps.map(({ title, to, isDone }) => (
          <li key={title}>
            <Link
              to={to}
              className="flex min-h-11 items-center gap-3 px-4 py-1 text-sm font-medium hover:bg-soft"
            >
              {isDone ? (
                <CircleCheck className="size-5 text-success" />
              ) : (
                <Circle className="size-5 text-muted" />
              )}
              {title}
              <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
            </Link>
          </li>
        ))}
      </ul>
      <ShareLink />
    </section>
  )
}

function useSteps() {
  const settings = useSettings()
  const { data } = useQuery({
    queryKey: ['mail-account', 'getting-started'],
    meta: { topics: ['settings', 'session'] },
    async queryFn({ signal }) {
      const init = { init: { signal } }
      const [{ status }, { isOn }, { last }] = await Promise.all([
        callApi(api.mail.account.$get(undefined, init)),
        callApi(api.session['two-factor'].$get(undefined, init)),
        callApi(api.backup.$get(undefined, init)),
      ])
      return { hasMail: status.isConfigured, hasTwoFactor: isOn, hasBackup: last !== null }
    },
  })
  const setting = (anchor: string) => `${tabPath('system-settings')}#${anchor}`
  const isChanged = (name: 'courses' | 'testimonials') =>
    JSON.stringify(settings[name]) !== JSON.stringify(defaultSettings[name])
  return [
    { title: 'School name', to: setting('names'), isDone: settings.schoolName !== '' },
    { title: 'Logo', to: setting('logo'), isDone: settings.logo !== null },
    { title: 'Courses', to: setting('courses'), isDone: isChanged('courses') },
    { title: 'Academic year', to: setting('academic-years'), isDone: settings.currentAcademicYear !== '' },
    {
      title: 'Office address on the ROTC form',
      to: setting('names'),
      isDone: settings.rotcOfficeAddress !== '',
    },
    { title: 'E-mail account', to: tabPath('email'), isDone: data?.hasMail },
    {
      title: 'Testimonials of your graduates',
      to: setting('testimonials'),
      isDone: isChanged('testimonials'),
    },
    { title: 'Two-factor sign-in', to: tabPath('profile-settings'), isDone: data?.hasTwoFactor },
    { title: 'First backup', to: setting('backup'), isDone: data?.hasBackup },
  ]
}

function ShareLink() {
  const address = `${window.location.origin}/register`
  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
      showToast({ type: 'success', message: 'Link copied' })
    } catch {
      showToast({ type: 'error', message: 'The link could not be copied. Select it and copy it by hand.' })
    }
  }
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-2 text-sm">
      Students enlist at <span className="font-semibold wrap-anywhere select-all">{address}</span>
      <Button variant="outline" size="sm" onClick={() => void copy()}>
        Copy link
      </Button>
    </p>
  )
}
