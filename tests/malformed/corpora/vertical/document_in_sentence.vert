<s>
a	a	DT
</doc>
