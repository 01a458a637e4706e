"""What the learner predicts, answers and writes about memory: lesson 18 on latency, lesson 20 on bandwidth."""
