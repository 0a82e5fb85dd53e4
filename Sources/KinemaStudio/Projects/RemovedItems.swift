/// Rows that were removed from a project, by id, so that undoing brings back all of their columns.
struct RemovedItems {
  /// How many rows are kept, the latest.
  let capacity: Int
  private var items: [String: ProjectItem] = [:]
  /// The ids in the order of removal.
  private var order: [String] = []

  init(capacity: Int) { self.capacity = capacity }

  subscript(id: String) -> ProjectItem? { items[id] }

  mutating func add(_ removed: some Sequence<ProjectItem>) {
    for item in removed where items.updateValue(item, forKey: item.id) == nil {
      order.append(item.id)
    }
    guard order.count > capacity else { return }
    for id in order.prefix(order.count - capacity) { items[id] = nil }
    order.removeFirst(order.count - capacity)
  }
}
