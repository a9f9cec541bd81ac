import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { problemSentences } from '#shared/problem.ts'
import { EnlistmentForm } from './enlistment-form.tsx'
import { valuesOf } from './form-values.ts'
import type { RefusedPost } from './use-enlistment.ts'

function renderForm(given: { component?: string; refused?: RefusedPost } = {}): string {
  return renderToStaticMarkup(
    <EnlistmentForm
      registration={{
        today: '2026-11-20',
        courses: ['SOICT'],
        programs: [],
        academicYears: ['2026-2027'],
        currentAcademicYear: '2026-2027',
        closed: null,
        asksCode: false,
        isOfficeNamed: true,
        changesAt: null,
      }}
      component={given.component ?? ''}
      idempotencyKey="a-key-of-this-form"
      refused={given.refused}
      enlisted={null}
      unsaved={{ current: false }}
      onEnlisted={() => undefined}
    />,
  )
}

describe('the served form', () => {
  test('counts what the student answered, not what it came with', () => {
    expect(renderForm()).toMatch(/value="Filipino"/)
    expect(renderForm()).toMatch(/0 of 16 required answers/)
    expect(renderForm({ component: 'ROTC' })).toMatch(/1 of 16 required answers/)
  })

  test('preselects the component of the link, and none without one', () => {
    expect(renderForm({ component: 'ROTC' })).toMatch(/<input type="radio"[^>]*checked=""[^>]*value="ROTC"/)
    expect(renderForm()).not.toMatch(/<input type="radio"[^>]*checked/)
  })

  test('after a refused post begins with the error summary, which has the focus', () => {
    const refused: RefusedPost = {
      code: 'invalid',
      sentence: problemSentences.invalid,
      errors: [{ path: 'lastName', message: 'Please fill in the last name field.' }],
      values: valuesOf(new FormData()),
      idempotencyKey: 'a-key-of-this-form',
    }
    const html = renderForm({ refused })
    expect(html).toMatch(/<summary autofocus=""[^>]*>One answer needs your attention/)
    expect(html.indexOf('your attention')).toBeLessThan(html.indexOf('Your consent</h2>'))
    expect(html).toMatch(/0 of 16 required answers/)
  })
})
