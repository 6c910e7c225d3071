"""A page whose time a test moves, and whose requests and responses it holds until it releases them."""
from daemons import eventually
from page import Page

SCRIPT = """
window.time = (() => {
  const timers = new Set();
  let ahead = 0;
  const steady = () => performance.now() + ahead;
  const add = (run, wait, every) => { timers.add({ run, every, at: steady() + wait }); };
  const first = until => [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
  // Runs each timer that is due until then, at its time.
  const run = until => {
    for (let timer; timer = first(until);) {
      ahead += Math.max(0, timer.at - steady());
      if (timer.every) timer.at += timer.every;
      else timers.delete(timer);
      timer.run();
    }
    ahead += Math.max(0, until - steady());
  };
  setInterval(() => run(steady()), 20);
  return {
    asleep: 0,  // how long the steady clock stood
    steady, wall: () => Date.now() + ahead + time.asleep,
    after: (run, wait) => add(run, wait), every: (run, wait) => add(run, wait, wait),
    pass: wait => run(steady() + wait),
  };
})();

const stored = name => JSON.parse(sessionStorage.getItem(name) ?? '{}');
const send = fetch;
window.sent = [];
window.held = [];
// Requests whose responses the page has not read yet; a stream has no end.
window.unread = 0;
window.fetch = async (url, options = {}) => {
  const name = `${options.method ?? 'GET'} ${decodeURIComponent(url)}`;
  const of = all => all[Object.keys(all).find(key => name.startsWith(key))];
  const hold = kind => of(stored(kind)) && new Promise(done => held.push(done));
  const end = () => { unread -= !url.startsWith('/v1/events'); };
  sent.push(name);
  unread += !url.startsWith('/v1/events');
  try {
    await hold('requests');
    const stub = of(stored('stubs'));
    const response = stub ? new Response(JSON.stringify(stub.body), { status: stub.status ?? 200, headers: { 'Content-Type': 'application/json' } })
      : await send(url, options);
    await hold('responses');
    for (const kind of ['json', 'text']) response[kind] = () => Response.prototype[kind].call(response).finally(end);
    return response;
  } catch (error) {
    end();
    throw error;
  }
};
"""


class MovedPage(Page):
    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.browser.begin(SCRIPT)

    def passes(self, seconds):
        """Moves the time of the page, second by second: its timers run, and what they request is read, unless it is held."""
        for _ in range(seconds):
            self.browser.execute_script("time.pass(1000)")
            self.settles()

    def suspends(self, seconds):
        """While a device sleeps, its steady clock stands and the other continues."""
        self.browser.execute_script("time.asleep += 1000 * arguments[0]", seconds)

    def store(self, **values):
        for name, value in values.items():
            self.browser.execute_script("sessionStorage.setItem(arguments[0], JSON.stringify(arguments[1]))", name, value)

    def stub(self, stubs):
        """Replaces responses to the requests whose method and path begin so: by a `body`, and a `status` other than 200."""
        self.store(stubs=stubs)

    def hold(self, requests=(), responses=()):
        """Holds the next requests whose method and path begin so: before they are sent, or once they have their responses."""
        self.store(requests=dict.fromkeys(requests, True), responses=dict.fromkeys(responses, True))

    def holds(self):
        """Waits until something is held."""
        eventually("a request that is held", lambda: self.browser.execute_script("return held.length"))

    def release(self):
        """Releases what is held, once something is, and waits until the page has read every response."""
        self.holds()
        self.hold()
        self.browser.execute_script("held.splice(0).forEach(done => done())")
        self.settles()

    def settles(self):
        """Waits until the page has read every response that is not held."""
        eventually("a page that has read every response", lambda: self.browser.execute_script("return unread == held.length"))

    def sent(self, name):
        """How many requests the page has sent since it was opened."""
        return self.browser.execute_script("return sent.filter(one => one.startsWith(arguments[0])).length", name)
