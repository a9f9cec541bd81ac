import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { requestMessages } from '#shared/requests/student-requests.ts'
import type { Refusal } from '#web/features/my/refusal.ts'
import { RequestForms } from '#web/features/my/request-forms.tsx'

afterEach(cleanup)

function open(refusal: Refusal, left: number) {
  const offered = { archived: false, mayChangeComponent: false, excusable: [], courses: [] }
  const own = { record: { sections: [], isMinor: false }, component: 'CWTS', left: { open: left, today: 9 } }
  const element = <RequestForms {...offered} {...own} refusal={refusal} />
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
}

const reason = () => screen.getByLabelText<HTMLTextAreaElement>(/^Why/, { selector: '#absence-reason' }).value
const typed = { dayId: '0198f4b2-0000-7000-8000-00000000d001', ground: 'family', reason: 'A wedding' }

test('a refused excuse keeps its reason when the office cancelled the last day meanwhile', () => {
  const errors = [{ path: 'dayId', message: requestMessages.day }]
  open({ intent: 'absence', typed, sentence: null, errors }, 3)
  expect(reason()).toBe('A wedding')
  expect(screen.getByText(requestMessages.day)).toBeTruthy()
  expect(document.activeElement?.id).toBe('dayId')
})

test('a refused excuse keeps its reason when three requests are open by now', () => {
  open({ intent: 'absence', typed, sentence: requestMessages.open, errors: [] }, 0)
  expect(reason()).toBe('A wedding')
  expect(screen.getByText(requestMessages.open)).toBeTruthy()
})
