/** Text of the kinds that fill agent conversations, made from word lists by a seeded generator. */

const WORDS =
  'service request handler payment retry backoff schema migration index customer invoice ledger cache queue worker timeout header token session policy deploy branch review failing passing coverage latency throughput memory process signal socket parser buffer stream record column constraint default nullable transaction rollback commit release pipeline artifact container registry cluster node replica shard partition offset consumer producer topic schedule calendar region currency amount discount refund order basket checkout delivery address warehouse supplier'.split(
    ' ',
  )
const CHINESE =
  '请求处理服务支付重试数据库迁移索引客户发票缓存队列超时会话部署分支测试失败通过内存进程信号解析'

export type Random = () => number

function pick<Item>(items: readonly Item[] | string, random: Random): Item | string {
  return items[Math.floor(random() * items.length)] ?? ''
}

export function prose(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    const words = Array.from({ length: 6 + Math.floor(random() * 12) }, () => pick(WORDS, random))
    text += `${words.join(' ').replace(/^./, (first) => first.toUpperCase())}. `
  }
  return text.slice(0, length)
}

export function code(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    const name = `${pick(WORDS, random)}${String(pick(WORDS, random)).replace(/^./, (first) => first.toUpperCase())}`
    text += `export async function ${name}(${pick(WORDS, random)}: string, limit = ${Math.floor(random() * 1000)}): Promise<void> {\n  const ${pick(WORDS, random)} = await this.${pick(WORDS, random)}.find({ id: ${pick(WORDS, random)}, status: '${pick(WORDS, random)}' })\n  if (${pick(WORDS, random)} === undefined) throw new Error('${pick(WORDS, random)} not found')\n}\n\n`
  }
  return text.slice(0, length)
}

export function json(length: number, random: Random): string {
  const rows: object[] = []
  let size = 0
  while (size < length) {
    const row = {
      id: Math.floor(random() * 1e9),
      [String(pick(WORDS, random))]: pick(WORDS, random),
      amount: Math.round(random() * 1e6) / 100,
      created_at: new Date(1.7e12 + random() * 1e10).toISOString(),
    }
    rows.push(row)
    size += JSON.stringify(row, null, 2).length
  }
  return JSON.stringify(rows, null, 2).slice(0, length)
}

export function log(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    const stamp = new Date(1.7e12 + random() * 1e10).toISOString()
    text += `${stamp} ${pick(['INFO', 'WARN', 'ERROR'], random)} [${pick(WORDS, random)}-${Math.floor(random() * 99)}] ${pick(WORDS, random)} ${pick(WORDS, random)} id=${Math.floor(random() * 1e12).toString(16)} took=${Math.floor(random() * 900)}ms\n`
  }
  return text.slice(0, length)
}

export function chinese(length: number, random: Random): string {
  return Array.from({ length }, () => pick(CHINESE, random)).join('')
}
