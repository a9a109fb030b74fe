/** In a process of its own: holds the cards of one type, and compares them. */
import { answerOrders } from '@lintel/sdk/drawing';
import type { Answer, Order } from './definition.js';
import { PairFinder } from './finder.js';

const finder = new PairFinder();

answerOrders<Order, Answer>((order) => {
  if (order.op === 'add') {
    finder.add(order.cards);
    return { pairs: [], total: finder.size };
  }
  return { pairs: finder.match(order.from, order.to), total: finder.size };
});
