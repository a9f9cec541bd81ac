import { data } from 'react-router'
import type { Problem } from '#shared/problem.ts'

const notAForm: Problem = {
  title: 'Not a form',
  status: 400,
  detail: 'What was sent is not a form that can be read. Please go back and send it again.',
  code: 'invalid',
}

/** The form that a page's action was sent. Anything else is the sender's mistake and no fault of the product. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    // Another type of content, or a body that isn't what its type says.
    throw data(notAForm, { status: notAForm.status })
  }
}
