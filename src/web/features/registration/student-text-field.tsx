import { clsx } from 'clsx'
import { type MouseEvent, type ReactNode, useContext } from 'react'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { fieldContext, setAnswer, useStudentField } from './field-context.ts'
import { type TextFieldName, textControl } from './field-controls.ts'
import { mailQuestion } from './mail-domain.ts'

// The grid has six columns. On a phone a field takes all of them, a short one half.
const columnSpans = {
  2: 'sm:col-span-2',
  3: 'sm:col-span-3',
  4: 'sm:col-span-4',
  6: 'sm:col-span-6',
} as const

/** A field of one line, with the keyboard and the autofill that fit it. */
export function StudentTextField({ name, hint }: { name: TextFieldName; hint?: ReactNode }) {
  const { values, label, required, error } = useStudentField(name)
  const { columns, isShort, hint: usualHint, ...control } = textControl(name)
  return (
    <TextField
      {...control}
      name={name}
      label={label}
      hint={hint ?? usualHint}
      required={required}
      error={error}
      defaultValue={values[name] ?? ''}
      enterKeyHint="next"
      className={clsx(isShort ? 'col-span-3' : 'col-span-6', columnSpans[columns])}
    />
  )
}

/** The e-mail address. Where its domain looks mistyped, a press takes the one that was probably meant. */
export function EmailField() {
  const { mailDomain } = useContext(fieldContext)

  function takeDomain({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) {
    const control = currentTarget.form?.elements.namedItem('email')
    if (!mailDomain || !(control instanceof HTMLInputElement)) return
    setAnswer(control, control.value.slice(0, control.value.lastIndexOf('@') + 1) + mailDomain)
    // The button goes. A finger's press must not bring up the phone's keyboard, a key's must not lose its place.
    if (detail === 0) control.focus()
  }

  const question = mailDomain && (
    <button
      type="button"
      onClick={takeDomain}
      className="-mt-1.5 -mb-3 inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
    >
      {mailQuestion(mailDomain)}
    </button>
  )
  return <StudentTextField name="email" hint={question} />
}

/** A field of several lines. */
export function StudentTextArea({
  name,
  hint,
  className,
}: {
  name: 'workExperience' | 'skills' | 'hobbies'
  hint: string
  className: string
}) {
  const { values, label, error } = useStudentField(name)
  return (
    <TextAreaField
      name={name}
      label={label}
      hint={hint}
      error={error}
      defaultValue={values[name] ?? ''}
      className={className}
    />
  )
}
