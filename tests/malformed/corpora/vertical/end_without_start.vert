a	a	DT
</s>
