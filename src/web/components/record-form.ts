import { useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { foundProblem } from '#web/lib/api-problem.ts'
import { useReadAgain } from '#web/lib/query.ts'
import type { Sending } from '#web/lib/send-form.ts'
import { type EditForm, type FormOptions, type SendContext, useEditForm } from './form.tsx'
import { showToast } from './toaster.tsx'

interface OfficeFormOptions<Values extends FieldValues, Saved>
  extends Omit<FormOptions<Values, Saved>, 'onSaved' | 'onSent'> {
  /** The topics that saving changes. */
  topics: Parameters<typeof useReadAgain>
  /** The sentence for what was done. */
  done?: string | ((saved: Saved) => string)
  onDone?: (saved: Saved) => void
}

/** A form whose saving is said by a notification, and whose topics are read again after each sending. */
export function useOfficeForm<Values extends FieldValues, Saved>(
  options: OfficeFormOptions<Values, Saved>,
): EditForm<Values> {
  const { topics, done, onDone, ...form } = options
  const readAgain = useReadAgain(...topics)
  return useEditForm<Values, Saved>({
    ...form,
    // What was refused may be old here, and what got no answer may have been saved.
    onSent: () => void readAgain(),
    onSaved(saved) {
      const message = typeof done === 'function' ? done(saved) : done
      if (message !== undefined) showToast('success', message)
      onDone?.(saved)
    },
  })
}

type Versioned = { version: number } | null

interface RecordFormOptions<Stored extends Versioned, Values extends FieldValues, Saved>
  extends Omit<OfficeFormOptions<Values, Saved>, 'values' | 'record' | 'send'> {
  /** The record as it was read last; null for a new one. */
  stored: Stored
  /** The noun for the record. */
  what: string
  labels: Readonly<Record<keyof Values & string, string>>
  /** A value in words; by default the text itself. */
  textOf?: (name: keyof Values & string, values: Values) => string
  valuesOf: (stored: Stored) => Values
  /** Reads what is stored now; nothing if the record was deleted. */
  read: () => Promise<NonNullable<Stored> | null | undefined>
  /** The sentence for a record that was deleted; absent where `read` says it, or it can't be. */
  missing?: string
  /** `latest` is the record as it was read last, with what is in none of the fields. */
  send: (values: Values, context: SendContext<Values> & { latest: Stored }) => Promise<Saved> | Sending<Saved>
}

/** The form of a record that others may change meanwhile. */
export function useRecordForm<Stored extends Versioned, Values extends FieldValues, Saved>(
  options: RecordFormOptions<Stored, Values, Saved>,
): EditForm<Values> {
  const { stored, what, labels, textOf, valuesOf, read, missing, send, ...form } = options
  const latest = useRef(stored)
  return useOfficeForm<Values, Saved>({
    ...form,
    values: valuesOf(stored),
    record: stored
      ? {
          what,
          version: stored.version,
          labelOf: (name) => labels[name],
          ...(textOf && { textOf }),
          async read() {
            const now = await read()
            if (!now) throw foundProblem('not_found', missing)
            latest.current = now
            return { values: valuesOf(now), version: now.version }
          },
        }
      : undefined,
    send(values, context) {
      // A notice of a change may have brought a newer one, which the form follows while nothing is typed in it.
      const isNewer = (stored?.version ?? 0) > (latest.current?.version ?? 0)
      return send(values, { ...context, latest: isNewer ? stored : latest.current })
    },
  })
}
