import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowLeft, ImageUp } from 'lucide-react'
import { Fragment, type KeyboardEvent, type ReactNode, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { imageLimits, imageTypes } from '#shared/files/images.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { settingsLimits } from '#shared/settings/settings-schema.ts'
import { academicYearAfter } from '#shared/students/academic-year.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { SunMark } from '#web/components/brand.tsx'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { SelectField } from '#web/components/field.tsx'
import { FileField } from '#web/components/file-field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { foundProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { readAddress } from '#web/lib/older-browsers.ts'
import { isOwnComputer } from '#web/lib/own-computer.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'
import { DayCode } from './day-code.tsx'
import { ListEditor, SemestersEditor } from './entries-editor.tsx'
import { ExpiredRecordsPanel, useExpiredRecords } from './expired-records.tsx'
import { SectionCard, type SectionForm, SettingsCard } from './section-form.tsx'
import { sections } from './sections.ts'
import { settingLabels } from './setting-texts.ts'
import {
  findSettings,
  isOwnCard,
  type OwnCard,
  pageAnchor,
  type SettingsPage,
  settingsPageAt,
  settingsPages,
} from './settings-pages.ts'

// Touch size; 16-px text keeps phones from zooming.
const touchClass = clsx(
  'max-md:[&_button]:min-h-11 max-md:[&_input:not([type=checkbox])]:min-h-11 max-md:[&_select]:min-h-11',
  'max-md:[&_input]:text-base max-md:[&_select]:text-base max-md:[&_textarea]:text-base',
  // A link to a field scrolls to its label, below the page header.
  '[&_input]:scroll-mt-4',
)

/** Each section is saved separately (product 25.1). */
export function SettingsTab({ backup, tokens }: { backup?: ReactNode; tokens?: ReactNode }) {
  const expired = useExpiredRecords()
  const { onlyWithCode } = useSettings()
  // The server doesn't know the place in the address.
  const isHydrated = useHydrated()
  const { hash } = useLocation()
  const openPage = settingsPageAt(isHydrated ? hash : '')
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set())
  function onUnsaved(title: string, isUnsaved: boolean) {
    setUnsaved(
      (titles) => new Set([...titles].filter((each) => each !== title).concat(isUnsaved ? title : [])),
    )
  }

  const ownCards: Record<OwnCard, ReactNode> = {
    logo: <LogoSection />,
    backup: backup && <SettingsCard title="Backup">{backup}</SettingsCard>,
    tokens: tokens && <SettingsCard title="API tokens">{tokens}</SettingsCard>,
  }
  const controls: Partial<Record<keyof typeof sections, (form: SectionForm) => ReactNode>> = {
    enlistment: () => onlyWithCode && <DayCode />,
    years: (form) => <YearsFields form={form} />,
    courses: (form) => (
      <ListEditor
        form={form}
        path="courses"
        noun="Course"
        max={settingsLimits.courses}
        mostLetters={settingsLimits.courseName}
      />
    ),
    semesters: (form) => <SemestersEditor form={form} />,
    publicAddress: (form) => <PublicAddress form={form} />,
    retention: () => <ExpiredRecordsPanel expired={expired.data ?? null} />,
  }

  return (
    <TabFrame query={expired} failure="Failed to load the settings">
      <div className={touchClass}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-2xl font-bold tracking-tight">System Settings</h1>
          <SmallLink to={tabPath('dashboard')} replace icon={ArrowLeft}>
            Back to Dashboard
          </SmallLink>
        </div>
        <SettingsSearch hidden={[...(backup ? [] : ['Backup']), ...(tokens ? [] : ['API tokens'])]} />
        <nav aria-label="Settings" className="mt-3 flex flex-wrap gap-1 border-b text-sm">
          {settingsPages.map(({ name, titles }) => (
            <Link
              key={name}
              to={`${tabPath('system-settings')}#${pageAnchor(name)}`}
              replace
              preventScrollReset
              aria-current={name === openPage ? 'page' : undefined}
              className="inline-flex min-h-9 items-center border-b-2 border-transparent px-3 font-semibold hover:bg-soft aria-[current=page]:border-primary aria-[current=page]:text-primary max-md:min-h-11"
            >
              {name}
              {titles.some((title) => unsaved.has(title)) && (
                <span className="ml-1 font-normal text-warning">not saved</span>
              )}
            </Link>
          ))}
        </nav>
        {settingsPages.map(({ name, cards }) => (
          <Page key={name} name={name} openPage={openPage}>
            {cards.map((card) =>
              isOwnCard(card) ? (
                <Fragment key={card}>{ownCards[card]}</Fragment>
              ) : (
                <SectionCard key={card} section={sections[card]} onUnsaved={onUnsaved}>
                  {controls[card]}
                </SectionCard>
              ),
            )}
          </Page>
        ))}
        <UnsavedGuard
          isUnsaved={unsaved.size > 0}
          staysOpen={({ pathname, search }) => pathname === '/admin' && tabOf(search) === 'system-settings'}
        />
      </div>
    </TabFrame>
  )
}

interface PageProps {
  name: SettingsPage
  openPage: SettingsPage
  children: ReactNode
}

/** A hidden page keeps what is typed in it. */
function Page({ name, openPage, children }: PageProps) {
  return (
    <div
      hidden={name !== openPage}
      className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-2 [&[hidden]]:hidden"
    >
      {name === 'Site content' && (
        <Hint className="xl:col-span-2">Shown to visitors. Changes appear on open pages at once.</Hint>
      )}
      {children}
    </div>
  )
}

const mostFound = 12

/** @param hidden the titles of cards that this account doesn't have */
function SettingsSearch({ hidden }: { hidden: readonly string[] }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const find = (looked: string) => findSettings(looked).filter(({ title }) => !hidden.includes(title))
  const found = find(text)
  const addressOf = (anchor: string) => `${tabPath('system-settings')}#${anchor}`
  // Enter may be faster than the list.
  function openFirst({ key, target }: KeyboardEvent) {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return
    const [first] = find(target.value)
    if (!first) return
    setText('')
    void navigate(addressOf(first.anchor), { replace: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the search box
    <div className="mt-3 flex max-w-xl flex-col gap-1" onKeyDown={openFirst}>
      <SearchBox
        id="settings-search"
        placeholder="A setting, such as slots, signatories or backup"
        mostLetters={60}
        isLabelHidden
        value={text}
        onSearch={setText}
      />
      <p role="status" className="sr-only">
        {text !== '' && countOf(found.length, 'setting')}
      </p>
      {text !== '' && (
        <ul aria-label="Found settings" className="rounded-box border bg-card py-1 text-sm shadow-card">
          {found.slice(0, mostFound).map(({ title, label, anchor }) => (
            <li key={anchor}>
              <Link
                to={addressOf(anchor)}
                replace
                onClick={() => setText('')}
                className="flex min-h-9 items-center px-3 hover:bg-soft max-md:min-h-11"
              >
                <span>{label === title ? <strong>{title}</strong> : `${title}: ${label}`}</span>
              </Link>
            </li>
          ))}
          {found.length === 0 && <li className="px-3 py-2 text-muted">No setting has these words.</li>}
        </ul>
      )}
    </div>
  )
}

function YearsFields({ form }: { form: SectionForm }) {
  const settings = useSettings()
  const today = useToday()
  const { academicYears, currentAcademicYear: chosen } = { ...settings, ...form.values }
  const byCalendar = currentAcademicYear({ ...settings, academicYears, currentAcademicYear: '' }, today)
  // Incomplete input is not offered.
  const years = [...new Set(academicYears.filter(isAcademicYear))]
  return (
    <>
      <SelectField
        name="currentAcademicYear"
        label={settingLabels.currentAcademicYear}
        hint="Preselected in the enlistment form."
        density="compact"
        value={chosen}
        error={form.errorOf('currentAcademicYear')}
        options={[
          { value: '', label: byCalendar === '' ? 'Automatic' : `Automatic (now ${byCalendar})` },
          ...years,
          ...(chosen === '' || years.includes(chosen)
            ? []
            : [{ value: chosen, label: `${chosen} (removed)` }]),
        ]}
        onChange={({ target }) => form.set('currentAcademicYear', target.value)}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-semibold">{settingLabels.academicYears}</legend>
        <ListEditor
          form={form}
          path="academicYears"
          noun="Academic year"
          max={settingsLimits.academicYears}
          suggestion={academicYearAfter(academicYears) ?? ''}
        />
      </fieldset>
    </>
  )
}

function PublicAddress({ form }: { form: SectionForm }) {
  const { data } = useQuery({
    queryKey: ['mail-account'],
    queryFn: reading(api.mail.account.$get, undefined),
  })
  const here = useHydrated() ? window.location.origin : ''
  if (data?.isFixed) {
    return (
      <p className="text-sm">
        The server sets it: <strong className="wrap-anywhere">{data.publicAddress}</strong>. The address here
        is not used.
      </p>
    )
  }
  const value: unknown = form.form.getValues('publicAddress')
  const address = typeof value === 'string' ? value : ''
  return (
    <>
      {here !== '' && address !== here && (
        <SmallButton className="self-start wrap-anywhere" onClick={() => form.set('publicAddress', here)}>
          Use {here}
        </SmallButton>
      )}
      {isOwnComputer(readAddress(address)?.hostname ?? '') && (
        <p className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">
          This address works on this computer only. Links in e-mails won’t open on other devices.
        </p>
      )}
    </>
  )
}

// Saved at once.
function LogoSection() {
  const { logo } = useSettings()
  const update = useUpdateSettings()
  const { run, isPending, error } = useActionWithToast({
    topics: ['settings'],
    async mutationFn(chosen: File | null) {
      if (!chosen) return { settings: await callApi(api.settings.logo.$delete()), note: '' }
      const prepared = await prepareImage(chosen, imageLimits.logo)
      if ('problem' in prepared) throw foundProblem('invalid', prepared.problem)
      const { image, note } = prepared
      return { settings: await callApi(api.settings.logo.$put({ form: { image } })), note }
    },
    done: ({ note }, chosen) => `Logo ${chosen ? 'updated' : 'removed'} successfully${note && `. ${note}`}`,
    onDone: ({ settings }) => update(settings),
  })
  return (
    <SettingsCard
      title="Logo"
      lead="Shown on every page and on print forms. JPEG, PNG, GIF or WEBP. Up to 2 MB. Large images are resized. Animated GIFs become still images."
    >
      <FileField
        name="logo-file"
        label="Logo file"
        error={error ? sentenceOf(error) : undefined}
        note={isPending ? 'Working…' : ''}
        isBusy={isPending}
        accept={imageTypes.join()}
        choose={logo ? 'Replace logo' : 'Choose logo'}
        icon={ImageUp}
        preview={
          <span className="grid size-24 shrink-0 place-items-center rounded-box border bg-soft p-2">
            {logo ? (
              <img src={logo.url} alt="Current logo" className="size-full object-contain" />
            ) : (
              <SunMark className="size-12 text-muted" />
            )}
          </span>
        }
        onTake={run}
        onRemove={logo ? () => run(null) : undefined}
      />
    </SettingsCard>
  )
}
