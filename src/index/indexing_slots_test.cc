#include "index/indexing_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace postern::index {
namespace {

TEST(IndexingSlots, AThreadComesBackToItsSlotOfEachWriter) {
  const WriterConfig config;
  const std::atomic<uint64_t> changes{0};
  IndexingSlots first(config, changes);
  IndexingSlots second(config, changes);

  // Another thread has the only slot, so this one is given one of its own.
  std::promise<Slot*> taken;
  std::promise<void> give_back;
  std::jthread other([&] {
    Slot& slot = first.take();
    taken.set_value(&slot);
    give_back.get_future().wait();
    first.give_back(slot);
  });
  Slot* const others = taken.get_future().get();
  Slot& own = first.take();
  EXPECT_NE(&own, others);
  first.give_back(own);
  give_back.set_value();
  other.join();

  // Both are free now, and between the two takes this thread uses another writer.
  Slot& elsewhere = second.take();
  second.give_back(elsewhere);
  Slot& again = first.take();
  EXPECT_EQ(&again, &own);
  Slot& elsewhere_again = second.take();
  EXPECT_EQ(&elsewhere_again, &elsewhere);
  first.give_back(again);
  second.give_back(elsewhere_again);
}

// Slots of a writer that is gone are not taken for those of a new one.
TEST(IndexingSlots, AWriterThatIsGoneIsForgotten) {
  const WriterConfig config;
  const std::atomic<uint64_t> changes{0};
  for (int i = 0; i < 100; ++i) {
    IndexingSlots slots(config, changes);
    Slot& slot = slots.take();
    ASSERT_EQ(slots.all().size(), 1u);
    EXPECT_EQ(slots.all().front(), &slot);
    slots.give_back(slot);
  }
}

}  // namespace
}  // namespace postern::index
