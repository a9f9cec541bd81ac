import { type FormEvent, useContext, useId, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { FieldErrorText, SelectField, TextField } from '#web/components/field.tsx'
import { useTranslation, WordsContext } from '#web/lib/translation.tsx'
import { monthOptions } from './choice-fields.tsx'
import { composeBirthDate, textOf } from './form-values.ts'
import type { DraftOffer } from './use-draft.ts'

interface KeptOfferProps {
  offer: DraftOffer
  /** Why the waiting enlistment was not accepted. */
  refusal: string | undefined
  /** @returns false for the birth date of somebody else */
  open: (birthDate: string) => Promise<boolean>
  onStartAnew: () => void
}

/** What the device has is shown to whom knows the birth date: the phone may be another student's. */
export function KeptOffer({ offer: { waiting, keptAt }, refusal, open, onStartAnew }: KeptOfferProps) {
  const t = useTranslation()
  const timeOf = useTimes()
  const id = useId()
  const [isAsked, setAsked] = useState(false)
  const [isOpening, setOpening] = useState(false)
  const [isWrong, setWrong] = useState(false)

  async function goOn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [birthMonth, birthDay, birthYear] = [
      textOf(data, 'keptMonth'),
      textOf(data, 'keptDay'),
      textOf(data, 'keptYear'),
    ]
    setOpening(true)
    const isOpen = await open(composeBirthDate({ birthMonth, birthDay, birthYear }))
    setWrong(!isOpen)
    setOpening(false)
  }

  return (
    <section
      data-steps="name"
      aria-label={t('Answers on this device')}
      className="mt-4 flex max-w-3xl flex-col gap-2 rounded-box border bg-soft px-4 py-2 stepped:my-2"
    >
      {waiting && (
        <p role="status">{t(waitingSentence(waiting.asksNumber, refusal, timeOf(waiting.startedAt)))}</p>
      )}
      {!isAsked && (
        <div className="flex flex-wrap gap-x-5">
          <button type="button" className={linkClass} onClick={() => setAsked(true)}>
            {t(
              keptAt === undefined
                ? 'Show the enlistment that waits'
                : `Go on with answers typed here at ${timeOf(keptAt)}`,
            )}
          </button>
          {keptAt !== undefined && (
            <button type="button" className={linkClass} onClick={onStartAnew}>
              {t('Start anew')}
            </button>
          )}
        </div>
      )}
      {isAsked && (
        <form
          aria-labelledby={id}
          noValidate
          onSubmit={(event) => void goOn(event)}
          className="flex flex-col gap-2"
        >
          <p id={id} className="text-sm font-semibold">
            {t('Birth date of the student whose answers these are')}
          </p>
          <div className="grid max-w-md grid-cols-[minmax(0,1fr)_3.5rem_5rem] gap-2">
            <SelectField
              // The press that opened these fields asked for the first one.
              autoFocus
              name="keptMonth"
              label="Month"
              options={monthOptions}
              placeholder="Choose…"
              autoComplete="off"
            />
            <TextField name="keptDay" label="Day" inputMode="numeric" autoComplete="off" />
            <TextField name="keptYear" label="Year" inputMode="numeric" autoComplete="off" />
          </div>
          <div role="alert">
            {isWrong && (
              <FieldErrorText id={`${id}-error`}>
                No answers on this device are of a student with this birth date.
              </FieldErrorText>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
            <Button type="submit" disabled={isOpening}>
              Show the answers
            </Button>
            {keptAt !== undefined && (
              <button type="button" className={linkClass} onClick={onStartAnew}>
                {t('Start anew')}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}

const linkClass =
  'inline-flex min-h-11 items-center font-semibold text-primary text-start underline underline-offset-4'

function waitingSentence(asksNumber: boolean, refusal: string | undefined, time: string): string {
  if (refusal !== undefined) return `An enlistment submitted here at ${time} was not accepted: ${refusal}`
  return asksNumber
    ? `An enlistment submitted here at ${time} is not sent yet. Its student must type the social security number again, which is never saved.`
    : `An enlistment submitted here at ${time} is not sent yet. This page sends it when there is a connection.`
}

/** In the device's own time. */
function useTimes() {
  const locale = useContext(WordsContext) ? 'fil-PH' : 'en-PH'
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  return (at: number) => format.format(at)
}
