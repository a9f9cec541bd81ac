import { createRouter, json, jsonBody, noContent, staffRoutes } from '#server/http/router.ts'
import { documented, ifMatchHeader, seenVersionHeader, tagVersion } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { newSectionsSchema, newTermSchema, sectionEditSchema, termEditSchema } from '#shared/terms/terms.ts'
import { sectionListSchema, sectionSchema, termListSchema, termSchema, termSummarySchema } from '#shared/terms/terms-response.ts'
import { createSectionsService, createTermsService } from './service.ts'

const tag = 'terms'
const reader = staffRoutes(tag, 'terms.read')
const terms = staffRoutes(tag, 'terms')
const sections = staffRoutes(tag, 'enrolments')

const listTerms = reader.get('/terms', 'List the terms', {
  responses: { 200: json(termListSchema, 'All of them, the latest first.') },
})

const addTerm = terms.post('/terms', 'Open or plan a term', {
  description: 'One is open at a time. A planned one can have sections and students too.',
  request: { body: jsonBody(documented(newTermSchema, 'NewTerm'), 'The term.') },
  responses: { 201: json(termSchema, 'The term, with its version as ETag.') },
})

const editTerm = terms.patch('/terms/{id}', 'Change the dates of a term, open or close it', {
  description: 'A closed term keeps its sections and students as they are; it can be opened again.',
  request: {
    headers: ifMatchHeader,
    body: jsonBody(documented(termEditSchema, 'TermEdit'), 'All that can be changed.'),
  },
  responses: { 200: json(termSchema, 'The term after the change, with its version as ETag.') },
  problems: ['conflict'],
})

const deleteTerm = terms.delete('/terms/{id}', 'Delete a term without students, and its sections', {
  request: { headers: seenVersionHeader },
  responses: { 204: { description: 'Deleted.' } },
  problems: ['conflict'],
})

const readSummary = reader.get('/terms/{id}/summary', 'Count sections and students of a term', {
  responses: { 200: json(termSummarySchema, 'By component and level.') },
})

const listSections = reader.get('/terms/{id}/sections', 'List the sections of a term', {
  responses: { 200: json(sectionListSchema, 'In order, of the components that the account sees.') },
})

const addSections = sections.post('/terms/{id}/sections', 'Add sections to a term', {
  description: 'All or none, behind those that the component and level has.',
  request: { body: jsonBody(documented(newSectionsSchema, 'NewSections'), 'Of one component and level.') },
  responses: { 201: json(sectionListSchema, 'All sections of the term.') },
  problems: ['conflict'],
})

const editSection = sections.patch('/sections/{id}', 'Change a section', {
  description: 'Its students stay, also those whom it would no longer take.',
  request: {
    headers: ifMatchHeader,
    body: jsonBody(documented(sectionEditSchema, 'SectionEdit'), 'All that can be changed.'),
  },
  responses: { 200: json(sectionSchema, 'The section after the change, with its version as ETag.') },
  problems: ['conflict'],
})

const deleteSection = sections.delete('/sections/{id}', 'Delete a section without students', {
  request: { headers: seenVersionHeader },
  responses: { 204: { description: 'Deleted.' } },
  problems: ['conflict'],
})

/** Semesters and their sections. */
export function createTerms(context: AppContext) {
  const service = createTermsService(context)
  const ofSections = createSectionsService(context)

  const routes = createRouter()
    .openapi(listTerms, async (c) => c.json({ items: await service.list() }, 200))
    .openapi(addTerm, async (c) =>
      c.json(tagVersion(c, await service.add(c.req.valid('json'), c.var.actor)), 201),
    )
    .openapi(editTerm, async (c) => {
      const { id } = c.req.valid('param')
      const version = c.req.valid('header')['if-match']
      return c.json(tagVersion(c, await service.edit(id, version, c.req.valid('json'), c.var.actor)), 200)
    })
    .openapi(deleteTerm, (c) =>
      noContent(c, service.delete(c.req.valid('param').id, c.req.valid('header')['if-match'], c.var.actor)),
    )
    .openapi(readSummary, async (c) =>
      c.json(await service.summary(c.req.valid('param').id, c.var.access), 200),
    )
    .openapi(listSections, async (c) =>
      c.json({ items: await ofSections.list(c.req.valid('param').id, c.var.access) }, 200),
    )
    .openapi(addSections, async (c) => {
      const { id } = c.req.valid('param')
      return c.json({ items: await ofSections.add(id, c.req.valid('json'), c.var.actor) }, 201)
    })
    .openapi(editSection, async (c) => {
      const { id } = c.req.valid('param')
      const version = c.req.valid('header')['if-match']
      return c.json(tagVersion(c, await ofSections.edit(id, version, c.req.valid('json'), c.var.actor)), 200)
    })
    .openapi(deleteSection, (c) =>
      noContent(c, ofSections.delete(c.req.valid('param').id, c.req.valid('header')['if-match'], c.var.actor)),
    )
  return { routes }
}
