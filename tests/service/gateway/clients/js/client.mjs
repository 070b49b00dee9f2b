// Runs the official JavaScript client through the gateway: node client.mjs URL INDEX TEXTS.json
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Client, errors } from '@elastic/elasticsearch'

const [url, index, path] = process.argv.slice(2)
const { original, copy, other, changed } = JSON.parse(readFileSync(path, 'utf8'))
const client = new Client({ node: url })

await client.index({ index, id: '1', document: { text: original, n: 1 } })
const bulk = await client.bulk({
  refresh: true,
  operations: [
    { index: { _index: index, _id: '2' } }, { text: copy, n: 2 },
    { create: { _index: index, _id: '3' } }, { text: other, n: 3 },
    { create: { _index: index, _id: '1' } }, { text: other, n: 4 },
  ],
})
assert.deepEqual(bulk.items.map((item) => Object.values(item)[0].status), [201, 201, 409])
assert.equal((await client.helpers.bulk({
  datasource: [{ text: changed, n: 5 }, { text: other + changed, n: 6 }],
  onDocument: (document) => ({ index: { _index: index, _id: String(document.n) } }),
  refreshOnCompletion: true,
})).successful, 2)

const got = await client.get({ index, id: '1' })
assert.equal(got._source.text, original)
assert.ok(got._source.dupdex.plan)

await client.update({ index, id: '3', doc: { text: copy }, refresh: true })
const updated = await client.get({ index, id: '3' })
assert.equal(updated._source.dupdex.text_hash, (await client.get({ index, id: '2' }))._source.dupdex.text_hash)
await client.update({ index, id: '3', doc: { text: other }, refresh: true })

const clause = { near_duplicate: { text: original, min_similarity: 0.5 } }
const found = await client.search({ index, query: clause, highlight: { fields: { text: {} } } })
assert.deepEqual(found.hits.hits.map((hit) => hit._id).sort(), ['1', '2'])
assert.ok(found.hits.hits[0]._score >= found.hits.hits[1]._score)
const both = await client.search({ index, query: { bool: { must: [clause], filter: [{ term: { n: 2 } }] } } })
assert.deepEqual(both.hits.hits.map((hit) => hit._id), ['2'])
assert.equal((await client.count({ index, query: clause })).count, 2)
const several = await client.msearch({ searches: [{ index }, { query: clause, size: 0 }, { index }, { size: 0 }] })
assert.deepEqual(several.responses.map((each) => each.hits.total.value), [2, 5])

const one = await client.search({ index, body: { dedup: { collapse: true, copies: 3 } } })
assert.ok(one.hits.hits.length < 5)

const { id } = await client.openPointInTime({ index, keep_alive: '1m' })
const seen = []
let after
for (;;) {
  const page = await client.search({ size: 2, pit: { id }, sort: [{ n: 'asc' }], search_after: after })
  if (page.hits.hits.length === 0) break
  seen.push(...page.hits.hits.map((hit) => hit._id))
  after = page.hits.hits.at(-1).sort
}
await client.closePointInTime({ id })
assert.deepEqual(seen, ['1', '2', '3', '5', '6'])

await client.delete({ index, id: '2', refresh: true })
assert.equal((await client.count({ index, query: clause })).count, 1)
await assert.rejects(client.get({ index, id: '2' }), (error) => {
  assert.ok(error instanceof errors.ResponseError)
  return error.statusCode === 404
})
await assert.rejects(client.search({ index, query: { near_duplicate: { nonsense: 1 } } }), { statusCode: 400 })
await assert.rejects(client.search({ index, query: { nonsense: {} } }), { statusCode: 400 })
await client.close()
console.log('ok')
