import { Fragment, type ReactNode, useEffect } from 'react'
import { excuseGroundNames, excuseGrounds } from '#shared/attendance/excuse-grounds.ts'
import { requestPath } from '#shared/my/my-path.ts'
import type { MyRecord, OwnDay } from '#shared/my/own-page-response.ts'
import { requestLimits, type StudentRequestKind } from '#shared/requests/request-kinds.ts'
import type { OwnRequests } from '#shared/requests/requests-response.ts'
import { componentNames, fieldChoices, registrationComponents } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { useTrainingDayText } from '#web/lib/training-day-text.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { BirthDateFields } from './birth-date-fields.tsx'
import { Fold, MyFrame, Part } from './my-frame.tsx'
import { errorIn, type Refusal } from './refusal.ts'

interface RequestFormsProps {
  /** The record has the fields of which a correction can be asked. */
  record: Pick<MyRecord, 'sections' | 'isMinor'>
  component: string
  archived: boolean
  mayChangeComponent: boolean
  /** The training days for which an excuse can be asked. */
  excusable: readonly OwnDay[]
  left: OwnRequests['left']
  courses: readonly string[]
  refusal: Refusal | undefined
}

/** What a student can ask the office for. Each kind is a plain form of its own. */
export function RequestForms(props: RequestFormsProps) {
  const { record, component, archived, mayChangeComponent, excusable, left, courses, refusal } = props
  const t = useTranslation()
  // A refused form is shown with what was typed, also where nothing can be asked for by now.
  const isShown = (kind: StudentRequestKind, isOffered = true) =>
    refusal?.intent === kind || (left.open > 0 && isOffered)
  return (
    <MyFrame title="Ask for a change" hasWayBack hasLeave>
      {refusal && <Refused refusal={refusal} />}
      {!archived && left.open === 0 && (
        <p>
          {t(
            'You have as many open requests for a change as are possible at once. Withdraw one, or wait for the office.',
          )}
        </p>
      )}
      {!archived && (
        <>
          {isShown('correction') && <Correction record={record} courses={courses} refusal={refusal} />}
          {isShown('absence', excusable.length > 0) && <ExcusedAbsence days={excusable} refusal={refusal} />}
          {isShown('component', mayChangeComponent) && (
            <ChangeOfComponent held={component} refusal={refusal} />
          )}
        </>
      )}
      <Part id="rights" title="Your data">
        <p>
          {t(
            'Rights under the Data Privacy Act. The office answers within 30 days, and may ask to see your ID.',
          )}
        </p>
        {record.isMinor && (
          <p>
            {t(
              'You are under 18: for a change of component, blocking and erasure the office asks your parent or guardian first.',
            )}
          </p>
        )}
        {rights.map(({ kind, title, text, asksReason }) => (
          <Fold key={kind} title={title} isOpen={refusal?.intent === kind}>
            <Form kind={kind} refusal={refusal} asksReason={asksReason}>
              <p>{t(text)}</p>
            </Form>
          </Fold>
        ))}
      </Part>
    </MyFrame>
  )
}

/** The page begins at its top, and what is marked may be far below. */
function Refused({ refusal }: { refusal: Refusal }) {
  const t = useTranslation()
  const { intent, sentence, errors } = refusal
  const [first] = errors
  const marked = first && controlOf(first.path, intent)
  useEffect(() => {
    if (marked) document.getElementById(marked)?.focus()
  }, [marked])
  const link = marked && (
    <a href={`#${marked}`} className="underline underline-offset-4">
      {t('Please check the marked answers.')}
    </a>
  )
  return <ErrorBanner message={link || (first?.message ?? sentence)} />
}

/** The id of the marked control; undefined for what is wrong with all of a request. */
function controlOf(path: string, intent: string): string | undefined {
  if (path === 'reason') return `${intent}-reason`
  if (path === 'dayId' || path === 'ground') return path
  const [, field] = path.split('.')
  return field === 'dateOfBirth' ? 'dateOfBirthMonth' : field
}

const rights = [
  {
    kind: 'copy',
    title: 'A copy of my data',
    text: 'My record has a file with everything for you to download at once. Ask for a copy if you want it from the office, on paper or signed.',
    asksReason: false,
  },
  {
    kind: 'blocking',
    title: 'Block my record',
    text: 'The office keeps your record and no longer uses it: no section, no papers, no certificate and no e-mail until it is unblocked.',
    asksReason: true,
  },
  {
    kind: 'erasure',
    title: 'Erase my record',
    text: 'The office deletes your record for good, with marks and certificates. It must keep what the law requires for proof that you completed the program.',
    asksReason: true,
  },
] as const

const buttons: Readonly<Record<StudentRequestKind, string>> = {
  correction: 'Ask for the correction',
  component: 'Ask for the other component',
  absence: 'Ask to be excused',
  copy: 'Ask for a copy',
  blocking: 'Ask for blocking',
  erasure: 'Ask for erasure',
}

interface FormProps {
  kind: StudentRequestKind
  refusal: Refusal | undefined
  asksReason: boolean
  children?: ReactNode
}

function Form({ kind, refusal, asksReason, children }: FormProps) {
  const refused = refusal?.intent === kind ? refusal : undefined
  return (
    <form method="post" action={requestPath} noValidate className="flex flex-col gap-4">
      <input type="hidden" name="kind" value={kind} />
      {children}
      {asksReason && (
        <TextAreaField
          id={`${kind}-reason`}
          name="reason"
          label="Why?"
          maxLength={requestLimits.reason}
          defaultValue={refused?.typed.reason}
          error={errorIn(refused, 'reason')}
          required={kind !== 'correction'}
        />
      )}
      <Button type="submit" className="sm:self-start">
        {buttons[kind]}
      </Button>
    </form>
  )
}

function Correction({ record, courses, refusal }: Pick<RequestFormsProps, 'record' | 'courses' | 'refusal'>) {
  const t = useTranslation()
  const refused = refusal?.intent === 'correction' ? refusal : undefined
  return (
    <Part id="correction" title="Correct my record">
      <p>{t('Change what is wrong, and leave the rest. The office checks it and answers on your page.')}</p>
      <Form kind="correction" refusal={refusal} asksReason>
        {record.sections.map(({ title, fields }) => {
          const isTouched = fields.some(
            ({ field, value }) =>
              errorIn(refused, `changes.${field}`) || (refused && (refused.typed[field] ?? value) !== value),
          )
          return (
            <Fold key={title} title={title} isOpen={isTouched}>
              <div className="flex flex-col gap-4">
                {fields.map(({ field, label, value }) => (
                  <Fragment key={field}>
                    {/* What the page showed: the office may change the record meanwhile. */}
                    <input type="hidden" name={`was-${field}`} value={value} />
                    <WantedValue
                      {...{ field, label, value, courses }}
                      typed={refused?.typed}
                      error={errorIn(refused, `changes.${field}`)}
                    />
                  </Fragment>
                ))}
              </div>
            </Fold>
          )
        })}
      </Form>
    </Part>
  )
}

interface WantedValueProps {
  field: StudentField
  label: string
  /** The value that the record has now. */
  value: string
  courses: readonly string[]
  typed: Readonly<Record<string, string>> | undefined
  error: string | undefined
}

function WantedValue({ field: name, label, value, courses, typed, error }: WantedValueProps) {
  if (name === 'dateOfBirth') {
    const [year = '', month = '', day = ''] = value.split('-')
    const stored = {
      dateOfBirthYear: year,
      dateOfBirthMonth: String(Number(month)),
      dateOfBirthDay: String(Number(day)),
    }
    return <BirthDateFields name={name} label={label} typed={typed ?? stored} error={error} />
  }
  const common = { name, label, error, defaultValue: typed?.[name] ?? value }
  const offered: Partial<Record<StudentField, readonly string[]>> = { ...fieldChoices, course: courses }
  const choices = offered[name]
  if (choices) {
    // A value of before, which is offered no more, stays.
    const options = [...new Set([...(choices.includes(value) || value === '' ? [] : [value]), ...choices])]
    return <SelectField {...common} options={options} {...(value === '' && { placeholder: 'Choose…' })} />
  }
  const { max, multiline } = fieldDefinition(name)
  return multiline ? (
    <TextAreaField {...common} maxLength={max} />
  ) : (
    <TextField {...common} maxLength={max} autoComplete="off" />
  )
}

function ExcusedAbsence({ days, refusal }: { days: readonly OwnDay[]; refusal: Refusal | undefined }) {
  const t = useTranslation()
  const dayText = useTrainingDayText()
  const refused = refusal?.intent === 'absence' ? refusal : undefined
  return (
    <Part id="absence" title="Excused absence">
      <p>
        {t('The office decides. An excused day is no absence. Say in a few words why, without a diagnosis.')}
      </p>
      <Form kind="absence" refusal={refusal} asksReason>
        <SelectField
          name="dayId"
          label="Training day"
          options={days.map((day) => ({ value: day.id, label: dayText(day) }))}
          placeholder="Choose…"
          defaultValue={refused?.typed.dayId ?? ''}
          error={errorIn(refused, 'dayId')}
          required
        />
        <SelectField
          name="ground"
          label="Ground"
          options={excuseGrounds.map((value) => ({ value, label: excuseGroundNames[value] }))}
          placeholder="Choose…"
          defaultValue={refused?.typed.ground ?? ''}
          error={errorIn(refused, 'ground')}
          required
        />
      </Form>
    </Part>
  )
}

function ChangeOfComponent({ held, refusal }: { held: string; refusal: Refusal | undefined }) {
  const t = useTranslation()
  const refused = refusal?.intent === 'component' ? refusal : undefined
  const options = registrationComponents
    .filter((name) => name !== held)
    .map((name) => ({ value: name, label: `${name}, ${componentNames[name]}` }))
  return (
    <Part id="component" title="Change my component">
      <p>{t('You take both levels in one component. The office decides whether a change is possible.')}</p>
      <Form kind="component" refusal={refusal} asksReason>
        <SelectField
          name="nstpComponent"
          label="Component that I want"
          options={options}
          placeholder="Choose…"
          defaultValue={refused?.typed.nstpComponent ?? ''}
          error={errorIn(refused, 'changes.nstpComponent') ?? errorIn(refused, 'changes')}
          required
        />
      </Form>
    </Part>
  )
}
